// The list of chats on the left: people, then groups with their topics.

import { $, avatar, h, icon } from "./dom.js";
import { chatName, inOrder, key, state, summary, t, threadOf } from "./state.js";

let planned = false;

export function drawList(openChat) {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    const focused = document.activeElement?.dataset?.testid;
    $("chats").replaceChildren(...rows(openChat));
    if (focused?.startsWith("chat-") || focused?.startsWith("topic-")) document.querySelector(`[data-testid="${focused}"]`)?.focus();
  });
}

function rows(openChat) {
  const chats = [...state.chats.values()].filter((chat) => !chat.migrated_to && chat.id !== state.staffChatId && !isStaffPerson(chat));
  const people = chats.filter((chat) => chat.type === "private").sort(byTime);
  const groups = [state.chats.get(state.staffChatId), ...chats.filter((chat) => chat.type !== "private")].filter(Boolean);
  const staff = [...state.chats.values()].filter(isStaffPerson);
  return [...people, ...groups].flatMap((chat) => [row(chat, openChat), ...topics(chat, openChat)]).concat(staff.map((chat) => row(chat, openChat)));
}

// The staff person's own chat with the bot comes last: it is the one needed least.
const isStaffPerson = (chat) => chat.type === "private" && Boolean(state.chats.get(state.staffChatId)?.members.includes(chat.id));

const lastOf = (chat, thread) => (thread === undefined ? inOrderAll(chat) : inOrder(chat, thread)).at(-1);
const inOrderAll = (chat) => [...chat.messages.values()].filter((m) => !m.deleted).sort((a, b) => a.message_id - b.message_id);
const byTime = (a, b) => (lastOf(b)?.date || 0) - (lastOf(a)?.date || 0);

function row(chat, openChat) {
  const thread = chat.is_forum ? 0 : undefined;
  const last = lastOf(chat, thread);
  const active = state.open?.chatId === chat.id && (!chat.is_forum || !state.open.thread);
  return h("li", {}, h("button", { type: "button", class: `chat${active ? " active" : ""}`, "data-testid": `chat-${chat.id}`, "aria-current": active ? "true" : null, onclick: () => openChat(chat.id, 0) },
    avatar(h("div"), chatName(chat), chat.id, chat.type === "private" ? "person" : "group"),
    h("div", { class: "about" },
      h("div", { class: "top" }, h("span", { class: "name" }, chatName(chat)), chat.blocked ? icon("block") : null, last ? h("time", {}, clock(last.date)) : null),
      h("div", { class: "bottom" }, preview(chat, 0, last), badge(chat, 0)))));
}

function topics(chat, openChat) {
  if (!chat.is_forum) return [];
  return chat.topics.filter((topic) => !topic.deleted).map((topic) => {
    const thread = topic.message_thread_id;
    const active = state.open?.chatId === chat.id && state.open.thread === thread;
    return h("li", { class: "topic" }, h("button", { type: "button", class: `chat${active ? " active" : ""}`, "data-testid": `topic-${thread}`, "aria-current": active ? "true" : null, onclick: () => openChat(chat.id, thread) },
      h("span", { class: `hash tone-${thread % 7}` }, topic.closed ? icon("lock") : "#"),
      h("div", { class: "about" },
        h("div", { class: "top" }, h("span", { class: "name" }, topic.name)),
        h("div", { class: "bottom" }, preview(chat, thread, lastOf(chat, thread)), badge(chat, thread)))));
  });
}

function preview(chat, thread, last) {
  if (state.typing.has(key(chat.id, thread))) return h("span", { class: "preview busy" }, t().typing, "…");
  return h("span", { class: "preview" }, last ? summary(last) : t().noMessages);
}

function badge(chat, thread) {
  const count = chat.unread.get(thread) || 0;
  return count ? h("span", { class: "badge" }, String(count)) : null;
}

export const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString(t() && undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

export function markUnread(chat, message) {
  const thread = threadOf(message);
  if (state.open?.chatId === chat.id && (state.open.thread || 0) === thread && !document.hidden) return;
  if (message.from_bot || chat.type !== "private") chat.unread.set(thread, (chat.unread.get(thread) || 0) + 1);
}
