// The open conversation: bubbles, files, buttons, service notes, the typing sign.

import { call, fileUrl } from "./api.js";
import { $, avatar, h, icon, label } from "./dom.js";
import { richText } from "./entities.js";
import { clock } from "./list.js";
import { inOrder, key, now, player, serviceText, state, summary, t, threadOf } from "./state.js";

const SPIN_MS = 30000;
const waiting = new Map(); // callback query id -> the button that spins

export const hooks = { say: () => {}, reply: () => {}, edit: () => {}, toast: () => {}, typedKeyboard: () => {} };

export function drawConversation() {
  const { chatId, thread } = state.open;
  const messages = inOrder(state.chats.get(chatId), thread);
  $("messages").replaceChildren(...messages.flatMap((message, i) => [dayMark(messages[i - 1], message), node(message, messages[i - 1])]).filter(Boolean));
  drawTyping();
  toBottom(true);
}

// Shows one new or changed message without touching the others.
export function showMessage(message) {
  const list = $("messages");
  const old = list.querySelector(`[data-testid="msg-${message.message_id}"]`);
  const stick = atBottom();
  if (message.deleted) return old?.remove();
  const messages = inOrder(state.chats.get(state.open.chatId), state.open.thread);
  const place = messages.findIndex((other) => other.message_id === message.message_id);
  const fresh = node(message, messages[place - 1]);
  if (old) {
    old.replaceWith(fresh);
  } else {
    fresh.classList.add("fresh");
    const mark = dayMark(messages[place - 1], message);
    const next = messages[place + 1] && list.querySelector(`[data-testid="msg-${messages[place + 1].message_id}"]`);
    const before = next || list.querySelector(".typing");
    for (const item of [mark, fresh].filter(Boolean)) list.insertBefore(item, before || null);
  }
  if (stick || !message.from_bot) toBottom(!old);
}

export function drawTyping() {
  const list = $("messages");
  list.querySelector(".typing")?.remove();
  const stick = atBottom();
  if (state.typing.has(key(state.open.chatId, state.open.thread))) {
    list.append(h("li", { class: "message theirs typing", "aria-label": t().typing }, h("div", { class: "bubble" }, h("i"), h("i"), h("i"))));
    if (stick) toBottom();
  }
}

export function callbackAnswered(event) {
  const button = waiting.get(event.id);
  waiting.delete(event.id);
  button?.classList.remove("spins");
  button?.removeAttribute("aria-busy");
}

export const atBottom = () => $("scroll").scrollHeight - $("scroll").scrollTop - $("scroll").clientHeight < 120;

export function toBottom(now) {
  const scroll = $("scroll");
  scroll.scrollTo({ top: scroll.scrollHeight, behavior: now || matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}

function dayMark(previous, message) {
  const day = new Date(message.date * 1000).toDateString();
  if (previous && new Date(previous.date * 1000).toDateString() === day) return null;
  const today = now().toDateString() === day;
  const text = today ? t().today : new Date(message.date * 1000).toLocaleDateString(document.documentElement.lang, { month: "long", day: "numeric" });
  return h("li", { class: "day" }, h("span", {}, text));
}

function node(message, previous) {
  const id = `msg-${message.message_id}`;
  const service = serviceText(message);
  if (service) return h("li", { class: "service", "data-testid": id }, h("span", {}, service));
  const person = player();
  const mine = person && message.from_id === person.id;
  const joined = previous && previous.from_id === message.from_id && !serviceText(previous) && message.date - previous.date < 300;
  const group = state.chats.get(state.open.chatId).type !== "private";
  const classes = ["message", mine ? "mine" : "theirs", joined ? "joined" : "", message.photo ? "has-photo" : "", message.sticker ? "has-sticker" : ""];
  const item = h("li", { class: classes.filter(Boolean).join(" "), "data-testid": id, tabindex: "-1" },
    h("div", { class: "stack" },
      h("div", { class: "bubble", ondblclick: () => hooks.reply(message) },
        group && !mine && !joined ? h("span", { class: `author tone-${Math.abs(message.from_id) % 7}` }, message.from_name) : null,
        forwarded(message), quote(message), media(message), words(message), foot(message)),
      reactions(message), keyboard(message)),
    actions(message, mine));
  if (group && !mine) item.prepend(joined ? h("div", { class: "avatar-gap" }) : avatar(h("div"), message.from_name, message.from_id));
  return item;
}

function words(message) {
  const text = message.text || message.caption;
  return text ? h("div", { class: "text", dir: "auto" }, richText(text, message.entities, hooks.say)) : null;
}

function foot(message) {
  return h("span", { class: "foot" }, message.edited ? former(message) : null, h("time", { title: new Date(message.date * 1000).toLocaleString() }, clock(message.date)));
}

function former(message) {
  if (!message.former.length) return h("span", { class: "edited" }, t().edited);
  return h("details", { class: "edited" }, h("summary", { title: t().former }, t().edited),
    h("div", { class: "former" }, h("b", {}, t().former), message.former.map((text) => h("p", { dir: "auto" }, text))));
}

function forwarded(message) {
  const origin = message.forward_origin;
  if (!origin) return null;
  return h("span", { class: "forwarded" }, t().forwarded, " ", origin.sender_user_name || origin.sender_user?.first_name || "");
}

function quote(message) {
  const source = state.chats.get(state.open.chatId).messages.get(message.reply_to_message_id);
  if (!source) return null;
  const jump = () => document.querySelector(`[data-testid="msg-${source.message_id}"]`)?.scrollIntoView({ block: "center", behavior: "smooth" });
  return h("button", { type: "button", class: "quote", onclick: jump }, h("b", {}, source.from_name), h("span", {}, summary(source)));
}

function media(message) {
  if (message.photo) return photo(message.photo);
  if (message.document) return fileLink(message.document);
  if (message.voice) return h("div", { class: "file" }, h("span", { class: "disc" }, icon("mic")), h("span", {}, h("b", {}, t().voice), h("small", {}, `0:${String(message.voice.duration).padStart(2, "0")}`)));
  if (message.video || message.video_note) return h("div", { class: "file" }, h("span", { class: "disc" }, icon("play")), h("span", {}, h("b", {}, t().video), h("small", {}, `0:${String((message.video || message.video_note).duration).padStart(2, "0")}`)));
  if (message.dice) return h("div", { class: "sticker", role: "img", "aria-label": t().dice }, `${message.dice.emoji} ${message.dice.value}`);
  if (message.sticker) return h("div", { class: "sticker", role: "img", "aria-label": t().sticker }, message.sticker.emoji);
  if (message.contact) return h("div", { class: "file" }, h("span", { class: "disc" }, icon("person")), h("span", {}, h("b", {}, message.contact.first_name), h("small", {}, message.contact.phone_number)));
  if (message.location) return h("div", { class: "file" }, h("span", { class: "disc" }, icon("pin")), h("span", {}, h("b", {}, t().location), h("small", {}, `${message.location.latitude.toFixed(4)}, ${message.location.longitude.toFixed(4)}`)));
  return null;
}

function photo(about) {
  const image = h("img", { src: fileUrl(about.file_path), width: about.width, height: about.height, alt: t().photo, loading: "lazy" });
  image.addEventListener("load", () => atBottom() && toBottom(true));
  const open = () => {
    $("light-image").src = image.src;
    $("light").showModal();
  };
  return h("button", { type: "button", class: "photo", title: t().open, onclick: open }, image);
}

function fileLink(about) {
  return h("a", { class: "file", href: fileUrl(about.file_path), download: about.file_name },
    h("span", { class: "disc" }, icon("file")), h("span", {}, h("b", {}, about.file_name), h("small", {}, size(about.size))));
}

const size = (bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function reactions(message) {
  return message.reactions?.length ? h("div", { class: "reactions" }, message.reactions.map((emoji) => h("span", {}, emoji))) : null;
}

function keyboard(message) {
  if (!message.keyboard.length) return null;
  return h("div", { class: "keyboard" }, message.keyboard.map((row, y) => h("div", { class: "keyboard-row" }, row.map((button, x) => inlineButton(message, button, y, x)))));
}

function inlineButton(message, button, row, col) {
  const id = `btn-${row}-${col}`;
  if (button.url) return h("a", { class: "inline", "data-testid": id, title: button.text, href: button.url, target: "_blank", rel: "noopener noreferrer" }, h("span", {}, button.text), icon("external"));
  const element = h("button", { type: "button", class: "inline", "data-testid": id, title: button.text }, h("span", {}, button.text));
  element.addEventListener("click", () => (button.copy === undefined ? press(element, message, row, col) : copy(button.copy)));
  return element;
}

async function press(element, message, row, col) {
  if (element.classList.contains("spins")) return;
  element.classList.add("spins");
  element.setAttribute("aria-busy", "true");
  try {
    const pressed = await call(`/users/${player().id}/taps`, { message_id: message.message_id, row, col, chat_id: state.open.chatId });
    waiting.set(pressed.callback_query_id, element);
    // The answer may have come before the call returned.
    const answer = await call(`/callbacks/${pressed.callback_query_id}`);
    if (answer.answered) callbackAnswered({ id: pressed.callback_query_id });
    setTimeout(() => callbackAnswered({ id: pressed.callback_query_id }), SPIN_MS);
  } catch {
    element.classList.remove("spins");
    hooks.toast(t().failed);
  }
}

async function copy(text) {
  await navigator.clipboard?.writeText(text).catch(() => {});
  hooks.toast(t().copied);
}

function actions(message, mine) {
  const reply = h("button", { type: "button", class: "plain", onclick: () => hooks.reply(message) });
  label(reply, t().reply, icon("reply"));
  const change = mine && (message.text || message.caption) ? h("button", { type: "button", class: "plain", onclick: () => hooks.edit(message) }) : null;
  if (change) label(change, t().edit, icon("edit"));
  return h("div", { class: "actions" }, reply, change);
}

export const belongs = (chatId, message) => state.open?.chatId === chatId && state.open.thread === threadOf(message);
