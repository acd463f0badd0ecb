// Starts the page, listens to the server and keeps the parts in step.

import { call } from "./api.js";
import { closePopups, drawComposer, drawKeyboard, hooks as composerHooks, say, setContext, setUpComposer } from "./composer.js";
import { atBottom, belongs, callbackAnswered, drawConversation, drawTyping, hooks as talkHooks, showMessage, toBottom } from "./conversation.js";
import { $, avatar, h, icon, label } from "./dom.js";
import { drawList, markUnread } from "./list.js";
import { chatName, key, now, player, spoken, state, t, takeChat, takeOverview, threadOf, tongue } from "./state.js";

const TYPING_MS = 5000;
const TAGS = { en: "en", zh: "zh-Hans", "zh-hant": "zh-Hant" };
const TOAST_MS = 3500;
const FONT_MS = 3000;
const STEPS = [600, 3600, 86400];
const THEMES = ["auto", "light", "dark"];
const PICTURES = { auto: "auto", light: "sun", dark: "moon" };

async function load() {
  takeOverview(await call("/overview"));
  await Promise.all([...state.chats.values()].map(async (chat) => {
    for (const message of (await call(`/chats/${chat.id}/messages?after=0`)).messages) chat.messages.set(message.message_id, message);
  }));
}

function listen() {
  const stream = new EventSource("/events");
  let first = true;
  stream.addEventListener("open", async () => {
    // After a break everything is read again: the server may have been started anew.
    if (!first) (await load(), draw());
    first = false;
  });
  stream.addEventListener("message", (event) => take(JSON.parse(event.data)));
}

function take(event) {
  if (event.type === "message") return takeMessage(event.chat_id, event.message);
  if (event.type === "chat") {
    takeChat(event.chat);
    if (event.chat.id === state.open?.chatId) drawHead();
    drawList(openChat);
  }
  if (event.type === "action") startTyping(event);
  if (event.type === "callback") takeAnswer(event);
  if (event.type === "clock") state.offset = Date.parse(event.now) - Date.now();
  if (event.type === "reset") load().then(() => (closeChat(), draw()));
  drawClock();
}

function takeMessage(chatId, message) {
  const chat = state.chats.get(chatId);
  if (!chat) return;
  const fresh = !chat.messages.has(message.message_id);
  chat.messages.set(message.message_id, message);
  if (message.from_bot) stopTyping(key(chatId, threadOf(message)));
  if (fresh && !message.deleted) markUnread(chat, message);
  if (belongs(chatId, message)) (showMessage(message), drawKeyboard());
  drawList(openChat);
}

function startTyping(event) {
  const place = key(event.chat_id, event.message_thread_id);
  clearTimeout(state.typing.get(place)?.timer);
  state.typing.set(place, { action: event.action, timer: setTimeout(() => stopTyping(place), TYPING_MS) });
  drawBusy();
}

function stopTyping(place) {
  clearTimeout(state.typing.get(place)?.timer);
  if (state.typing.delete(place)) drawBusy();
}

function drawBusy() {
  if (state.open) (drawTyping(), drawNote());
  drawList(openChat);
}

function takeAnswer(event) {
  callbackAnswered(event);
  const person = player();
  if (!event.text || event.user_id !== person?.id) return;
  if (!event.show_alert) return toast(event.text);
  $("alert-text").textContent = event.text;
  $("alert").showModal();
}

function toast(text) {
  const box = h("div", { class: "toast", "data-testid": "toast" }, text);
  $("toasts").replaceChildren(box);
  setTimeout(() => box.remove(), TOAST_MS);
}

function openChat(chatId, thread = 0) {
  const chat = state.chats.get(chatId);
  if (!chat) return;
  state.open = { chatId, thread };
  chat.unread.delete(thread);
  history.replaceState(null, "", `#${chatId}${thread ? `/${thread}` : ""}`);
  $("app").dataset.pane = "talk";
  $("conversation").hidden = false;
  $("empty").hidden = true;
  setContext(null);
  $("input").value = "";
  closePopups();
  draw();
  if (matchMedia("(min-width: 760px)").matches) $("input").focus();
}

function closeChat() {
  state.open = null;
  history.replaceState(null, "", location.pathname);
  $("app").dataset.pane = "list";
  $("conversation").hidden = true;
  $("empty").hidden = false;
  const first = [...state.chats.values()].find((chat) => chat.type === "private" && !state.chats.get(state.staffChatId)?.members.includes(chat.id));
  if (matchMedia("(min-width: 760px)").matches && first) openChat(first.id);
}

function draw() {
  document.documentElement.lang = TAGS[tongue()];
  drawFrame();
  drawClock();
  drawList(openChat);
  if (!state.open) return;
  drawHead();
  drawConversation();
}

function drawFrame() {
  $("brand").textContent = t().brand;
  document.title = t().brand;
  $("list-title").textContent = t().chats;
  $("empty").textContent = t().choose;
  label($("new-person"), t().newPerson, icon("plus"));
  label($("back"), t().back, icon("back"));
  label($("down"), t().down, icon("down"));
  label($("forward"), t().forward, icon("forward"));
  label($("step"), t().forward);
  label($("clock"), t().clock);
  $("alert-ok").textContent = t().ok;
  label($("tongue"), t().tongue, icon("globe"));
  const theme = localStorage.getItem("theme") || "auto";
  document.documentElement.dataset.theme = theme;
  label($("theme"), t().theme[theme], icon(PICTURES[theme]));
  const step = $("step").value || "3600";
  $("step").replaceChildren(...STEPS.map((seconds) => h("option", { value: seconds }, t()[`step${seconds}`])));
  $("step").value = step;
  $("person-title").textContent = t().newPerson;
  $("person-name-label").textContent = t().name;
  $("person-language-label").textContent = t().language;
  $("person-cancel").textContent = t().cancel;
  $("person-ok").textContent = t().create;
  $("person-language").replaceChildren(...Object.entries({ ...t().languages, "": t().notSet }).map(([value, name]) => h("option", { value }, name)));
}

function drawHead() {
  if (TAGS[tongue()] !== document.documentElement.lang) return draw();
  const chat = state.chats.get(state.open.chatId);
  const topic = chat.topics.find((one) => one.message_thread_id === state.open.thread);
  $("head-name").textContent = topic ? topic.name : chatName(chat);
  avatar($("head-avatar"), chatName(chat), chat.id, chat.type === "private" ? "person" : "group");
  drawNote();
  drawComposer();
}

function drawNote() {
  const chat = state.chats.get(state.open.chatId);
  const busy = state.typing.get(key(chat.id, state.open.thread));
  const names = [chat.username ? `@${chat.username}` : null, chat.type === "private" ? null : chat.is_forum && state.open.thread ? chat.title : chat.is_forum ? t().general : null];
  const about = chat.type === "private" ? t().person : `${chat.members.length + 1} ${t().staff}`;
  $("head-note").textContent = busy ? `${t().bot} ${t().action[busy.action] || t().typing}…` : [about, ...names].filter(Boolean).join(" · ");
  $("head-note").classList.toggle("busy", Boolean(busy));
}

function drawClock() {
  const lang = document.documentElement.lang || "en";
  $("now").textContent = now().toLocaleString(lang, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false });
  $("now").dateTime = now().toISOString();
}

async function moveClock() {
  $("forward").classList.add("moved");
  await call("/clock", { advance_s: Number($("step").value) }).catch(() => toast(t().failed));
  setTimeout(() => $("forward").classList.remove("moved"), 400);
}

async function createPerson(event) {
  event.preventDefault();
  const user = await call("/users", { first_name: $("person-name").value.trim(), language_code: $("person-language").value || null }).catch(() => null);
  $("person").close();
  $("person-name").value = "";
  if (!user) return toast(t().failed);
  // The new chat also comes as an event; whichever is first will do.
  if (!state.chats.has(user.id)) takeChat({ ...user, type: "private", topics: [], members: [], admins: [] });
  openChat(user.id);
}

function setUp() {
  setUpComposer();
  Object.assign(talkHooks, { say, toast, reply: (message) => setContext({ kind: "reply", message }), edit: (message) => setContext({ kind: "edit", message }) });
  composerHooks.toast = toast;
  $("back").addEventListener("click", () => (($("app").dataset.pane = "list"), document.querySelector(".chat.active")?.focus()));
  $("forward").addEventListener("click", moveClock);
  $("theme").addEventListener("click", () => (localStorage.setItem("theme", THEMES[(THEMES.indexOf(localStorage.getItem("theme") || "auto") + 1) % 3]), drawFrame()));
  $("tongue").addEventListener("click", () => {
    const own = spoken(player()?.language_code ?? navigator.language);
    state.tongue = tongue() !== "en" ? "en" : own === "en" ? "zh" : own;
    localStorage.setItem("tongue", state.tongue);
    draw();
  });
  $("language").addEventListener("change", () => {
    // Whoever picks a language for a person wants to see it.
    state.tongue = null;
    localStorage.removeItem("tongue");
  });
  $("new-person").addEventListener("click", () => $("person").showModal());
  $("person-form").addEventListener("submit", createPerson);
  $("person-cancel").addEventListener("click", () => $("person").close());
  $("light").addEventListener("click", () => $("light").close());
  $("down").addEventListener("click", () => toBottom());
  $("scroll").addEventListener("scroll", () => ($("down").hidden = atBottom()), { passive: true });
  $("chats").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = [...$("chats").querySelectorAll("button")];
    rows[rows.indexOf(document.activeElement) + step]?.focus();
  });
  document.addEventListener("click", (event) => document.querySelectorAll("details[open]").forEach((details) => details.contains(event.target) || details.removeAttribute("open")));
  setInterval(drawClock, 1000);
}

// A machine without Chinese fonts would first draw boxes: the packaged font is near, so it is waited for.
const font = document.fonts.load('16px "Sandbox SC"', "中文").catch(() => {});
setUp();
await Promise.all([load(), Promise.race([font, new Promise((done) => setTimeout(done, FONT_MS))])]);
listen();
const [chatId, thread] = location.hash.slice(1).split("/").map(Number);
if (state.chats.has(chatId)) openChat(chatId, thread || 0);
else closeChat();
draw();
document.documentElement.dataset.ready = "true";
