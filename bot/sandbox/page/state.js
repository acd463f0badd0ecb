// What the page knows: people, chats and messages, the open chat, and the page's own language.

import { TEXTS } from "./texts.js";

export const state = { token: "", bot: null, staffChatId: 0, users: new Map(), chats: new Map(), open: null, offset: 0, tongue: localStorage.getItem("tongue"), typing: new Map() };

export const key = (chatId, thread) => `${chatId}/${thread || 0}`;
export const threadOf = (message) => message.message_thread_id || 0;

export function takeOverview(about) {
  Object.assign(state, { token: about.token, bot: about.bot, staffChatId: about.staff_chat_id, offset: Date.parse(about.now) - Date.now() });
  state.users = new Map(about.users.map((user) => [user.id, user]));
  state.chats = new Map();
  about.chats.forEach(takeChat);
}

export function takeChat(chat) {
  const known = state.chats.get(chat.id);
  state.chats.set(chat.id, { messages: new Map(), unread: new Map(), ...known, ...chat });
  if (chat.type === "private") state.users.set(chat.id, { ...state.users.get(chat.id), ...pick(chat) });
}

const pick = ({ id, first_name, last_name, username, language_code, blocked }) => ({ id, first_name, last_name, username, language_code, blocked });

export const chatName = (chat) => chat.title || [chat.first_name, chat.last_name].filter(Boolean).join(" ") || String(chat.id);

// The person that the page plays in a chat.
export function player() {
  const chat = state.chats.get(state.open?.chatId);
  if (!chat) return null;
  if (chat.type === "private") return state.users.get(chat.id);
  const chosen = state.open.sender && chat.members.includes(state.open.sender) ? state.open.sender : chat.members[0];
  return state.users.get(chosen);
}

// A fixed choice wins; without one the page speaks the language of the person that it plays.
export function tongue() {
  if (state.tongue) return state.tongue;
  return spoken(player()?.language_code ?? navigator.language);
}

// The page's language for a language code: script and region say which kind of Chinese.
export function spoken(code) {
  const [head, ...parts] = code.toLowerCase().split(/[-_]/);
  if (head !== "zh") return "en";
  return !parts.includes("hans") && parts.some((part) => ["hant", "tw", "hk", "mo"].includes(part)) ? "zh-hant" : "zh";
}

export const t = () => TEXTS[tongue()];
export const now = () => new Date(Date.now() + state.offset);

export const inOrder = (chat, thread) => [...chat.messages.values()].filter((m) => threadOf(m) === thread && !m.deleted).sort((a, b) => a.message_id - b.message_id);

export function summary(message) {
  const texts = t();
  if (message.forum_topic_created) return texts.topicCreated(message.forum_topic_created.name);
  const words = message.text || message.caption;
  const kind = ["photo", "document", "voice", "sticker", "contact", "location", "video", "video_note", "dice"].find((name) => message[name]);
  if (words) return words.replace(/\s+/g, " ").slice(0, 90);
  return kind ? texts[kind] : serviceText(message) || "";
}

export function serviceText(message) {
  const texts = t();
  if (message.forum_topic_created) return texts.topicCreated(message.forum_topic_created.name);
  if (message.forum_topic_edited) return message.forum_topic_edited.name ? texts.topicEdited(message.forum_topic_edited.name) : texts.topicIcon;
  if (message.forum_topic_closed) return texts.topicClosed;
  if (message.forum_topic_reopened) return texts.topicReopened;
  if (message.pinned_message_id) return texts.pinned;
  if (message.group_chat_created || message.supergroup_chat_created) return texts.founded;
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return texts.upgraded;
  return null;
}
