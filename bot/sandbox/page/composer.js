// What the person writes: text, commands, files, replies and edits, and the bot's reply keyboard.

import { call } from "./api.js";
import { $, h, icon, label } from "./dom.js";
import { chatName, inOrder, player, state, summary, t } from "./state.js";

const ATTACHMENTS = [
  ["photo", "photo"],
  ["document", "file"],
  ["voice", "mic"],
  ["sticker", "smile"],
  ["contact", "person"],
  ["location", "pin"],
];
let context = null; // { kind: "reply" | "edit", message }
let commands = [];
let chosen = 0;
let shownKeyboard = null;

export const hooks = { toast: () => {} };

export function setUpComposer() {
  const input = $("input");
  $("form").addEventListener("submit", (event) => (event.preventDefault(), submit()));
  input.addEventListener("keydown", onKey);
  input.addEventListener("input", () => (grow(), suggest()));
  input.addEventListener("paste", (event) => event.clipboardData.files.length && (event.preventDefault(), sendFile(event.clipboardData.files[0])));
  $("menu").addEventListener("click", () => ($("commands").hidden ? openMenu() : closePopups()));
  $("attach").addEventListener("click", () => toggleAttachments());
  $("context-close").addEventListener("click", () => setContext(null));
  $("unblock").addEventListener("click", () => act("/unblock", {}));
  $("block").addEventListener("click", () => act(player().blocked ? "/unblock" : "/block", {}));
  $("language").addEventListener("change", () => act("/language", { language_code: $("language").value || null }));
  $("sender").addEventListener("change", () => (state.open.sender = Number($("sender").value)));
  $("file").addEventListener("change", () => $("file").files[0] && sendFile($("file").files[0]));
  document.addEventListener("click", (event) => !event.target.closest(".popup, #menu, #attach") && closePopups());
}

export function drawComposer() {
  const chat = state.chats.get(state.open.chatId);
  const person = player();
  const blocked = chat.type === "private" && chat.blocked;
  const topic = chat.topics?.find((one) => one.message_thread_id === state.open.thread);
  $("form").hidden = blocked;
  $("blocked").hidden = !blocked;
  $("blocked-text").textContent = t().blocked;
  $("unblock").textContent = t().unblock;
  $("input").placeholder = topic?.closed ? t().closed : t().write;
  $("input").setAttribute("aria-label", t().write);
  $("block").hidden = chat.type !== "private";
  label($("block"), chat.blocked ? t().unblock : t().block, icon("block"));
  $("block").classList.toggle("on", Boolean(chat.blocked));
  label($("menu"), t().menu, icon("menu"));
  label($("attach"), t().attach, icon("clip"));
  label($("send"), t().send, icon("send"));
  label($("context-close"), t().cancel, icon("close"));
  drawLanguages(person);
  drawSenders(chat, person);
  drawKeyboard();
  drawContext();
}

export function setContext(next) {
  context = next;
  drawContext();
  if (next?.kind === "edit") $("input").value = next.message.text || next.message.caption;
  if (next) $("input").focus();
  grow();
}

export async function say(text) {
  await post({ text });
}

// The newest message that brought or took away a keyboard decides what lies under the input.
export function drawKeyboard() {
  const chat = state.chats.get(state.open.chatId);
  const last = inOrder(chat, state.open.thread).filter((message) => message.reply_keyboard).at(-1);
  const markup = last?.reply_keyboard;
  const key = markup && `${chat.id}/${last.message_id}`;
  const used = markup?.one_time_keyboard && inOrder(chat, state.open.thread).some((m) => m.message_id > last.message_id && !m.from_bot);
  const rows = markup?.keyboard && !used ? markup.keyboard : [];
  $("keys").hidden = !rows.length;
  $("keys").replaceChildren(...rows.map((row) => h("div", { class: "keyboard-row" }, row.map((button) => h("button", { type: "button", onclick: () => tapKey(last, button) }, button.text)))));
  if (markup?.force_reply && key !== shownKeyboard) setContext({ kind: "reply", message: last });
  if (markup?.input_field_placeholder) $("input").placeholder = markup.input_field_placeholder;
  shownKeyboard = key;
}

async function tapKey(message, button) {
  try {
    await call(`/users/${player().id}/taps`, { message_id: message.message_id, text: button.text, chat_id: state.open.chatId });
  } catch {
    hooks.toast(t().failed);
  }
}

function drawContext() {
  $("context").hidden = !context;
  if (!context) return;
  $("context-title").textContent = context.kind === "edit" ? t().editing : `${t().replyTo} ${context.message.from_name}`;
  $("context-text").textContent = summary(context.message);
}

function drawLanguages(person) {
  const chat = state.chats.get(state.open.chatId);
  const known = { "": t().notSet, ...t().languages };
  const code = person?.language_code ?? "";
  if (!(code in known)) known[code] = code;
  $("language").hidden = chat.type !== "private";
  $("language").replaceChildren(...Object.entries(known).map(([value, name]) => h("option", { value, selected: value === code }, name)));
  $("language").value = code;
  label($("language"), t().appLanguage);
}

function drawSenders(chat, person) {
  const several = chat.type !== "private" && chat.members.length > 1;
  $("sender").hidden = !several;
  if (!several) return;
  label($("sender"), t().as);
  $("sender").replaceChildren(...chat.members.map((id) => h("option", { value: id, selected: id === person.id }, chatName(state.users.get(id)))));
}

async function act(path, body) {
  try {
    await call(`/users/${player().id}${path}`, body);
  } catch {
    hooks.toast(t().failed);
  }
}

async function submit() {
  const input = $("input");
  const text = input.value.trim();
  if (!text) return;
  if (!$("commands").hidden && commands[chosen] && text.startsWith("/") && !text.includes(" ")) return runCommand(commands[chosen]);
  const editing = context?.kind === "edit" ? context.message : null;
  input.value = "";
  grow();
  closePopups();
  if (!editing) return post({ text });
  setContext(null);
  await act("/edits", { message_id: editing.message_id, text, chat_id: state.open.chatId });
}

async function post(content) {
  const body = { ...content, chat_id: state.open.chatId };
  if (state.open.thread) body.message_thread_id = state.open.thread;
  if (context?.kind === "reply") body.reply_to_message_id = context.message.message_id;
  setContext(null);
  try {
    await call(`/users/${player().id}/messages`, body);
  } catch {
    hooks.toast(t().failed);
  }
}

function onKey(event) {
  const open = !$("commands").hidden && commands.length;
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  } else if (event.key === "Escape") {
    if (open) closePopups();
    else setContext(null);
  } else if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "ArrowUp" && !$("input").value) {
    const mine = inOrder(state.chats.get(state.open.chatId), state.open.thread).filter((m) => m.from_id === player().id && (m.text || m.caption));
    if (mine.length) setContext({ kind: "edit", message: mine.at(-1) });
  }
}

function grow() {
  const input = $("input");
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, 160)}px`;
  $("send").classList.toggle("ready", Boolean(input.value.trim()));
}

async function openMenu() {
  commands = await call(`/menu?user_id=${player().id}&chat_id=${state.open.chatId}`);
  showCommands(true);
  $("commands").querySelector("button")?.focus();
}

async function suggest() {
  const text = $("input").value;
  if (!/^\/\w*$/.test(text)) return closePopups();
  const all = await call(`/menu?user_id=${player().id}&chat_id=${state.open.chatId}`);
  commands = all.filter((command) => `/${command.command}`.startsWith(text));
  if (commands.length) showCommands(false);
  else closePopups();
}

function showCommands(whole) {
  $("attachments").hidden = true;
  const list = $("commands");
  list.hidden = false;
  list.onkeydown = (event) => {
    if (event.key === "Escape") (closePopups(), $("input").focus());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(chosen + step);
    list.querySelectorAll("button")[chosen]?.focus();
  };
  const empty = whole && !commands.length;
  list.replaceChildren(...(empty ? [h("li", { class: "none" }, t().noCommands)] : commands.map((command) => h("li", {}, h("button", { type: "button", role: "option", "data-testid": `command-${command.command}`, onclick: () => runCommand(command) }, h("b", {}, `/${command.command}`), h("span", {}, command.description))))));
  choose(0);
}

function choose(index) {
  if (!commands.length) return;
  chosen = (index + commands.length) % commands.length;
  $("commands").querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-selected", String(i === chosen)));
  $("commands").querySelectorAll("button")[chosen]?.scrollIntoView({ block: "nearest" });
}

async function runCommand(command) {
  $("input").value = "";
  grow();
  closePopups();
  await post({ text: `/${command.command}` });
  $("input").focus();
}

function toggleAttachments() {
  const list = $("attachments");
  const open = list.hidden;
  closePopups();
  if (!open) return;
  list.hidden = false;
  list.replaceChildren(...ATTACHMENTS.map(([kind, picture]) => h("li", {}, h("button", { type: "button", "data-testid": `attach-${kind}`, onclick: () => attach(kind) }, icon(picture), h("span", {}, t()[kind])))));
  list.querySelector("button").focus();
}

function attach(kind) {
  closePopups();
  if (kind !== "photo" && kind !== "document") return post({ [kind]: true });
  $("file").accept = kind === "photo" ? "image/*" : "";
  $("file").dataset.kind = kind;
  $("file").value = "";
  $("file").click();
}

async function sendFile(file) {
  const asPhoto = file.type.startsWith("image/") && $("file").dataset.kind !== "document";
  const url = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(file);
  });
  const caption = $("input").value.trim();
  $("input").value = "";
  grow();
  await post({ ...(asPhoto ? { photo: url } : { document: { name: file.name, content: url, mime_type: file.type } }), ...(caption ? { caption } : {}) });
}

export function closePopups() {
  $("commands").hidden = true;
  $("attachments").hidden = true;
}
