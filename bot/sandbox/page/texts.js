// Every word of the page's own, in all its languages.

import { TEXTS as ZH } from "./texts-zh.js";
import { TEXTS as HANT } from "./texts-zh-hant.js";

export const TEXTS = {
  en: {
    brand: "Chat sandbox", chats: "Chats", newPerson: "New person", name: "Name", language: "Language", create: "Create", cancel: "Cancel", ok: "OK",
    clock: "Clock", forward: "Move the clock forward", theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" }, tongue: "Page language: change to Chinese",
    step600: "10 min", step3600: "1 hour", step86400: "1 day",
    back: "Back", menu: "Commands", attach: "Attach", send: "Send", write: "Message", down: "To the newest message", closed: "Topic closed", noCommands: "No commands here",
    block: "Block the bot", unblock: "Unblock", blocked: "The bot is blocked", person: "person", staff: "members", general: "General", choose: "Choose a chat on the left",
    appLanguage: "Language of this person’s app", notSet: "Not set", languages: { "zh-hans": "Chinese", "zh-hant": "Chinese (traditional)", en: "English", ja: "Japanese", de: "German" },
    photo: "Photo", document: "File", voice: "Voice message", sticker: "Sticker", contact: "Contact", location: "Location", video: "Video", video_note: "Video message", dice: "Dice", open: "Open the picture",
    edited: "edited", former: "Earlier text", forwarded: "Forwarded from", reply: "Reply", edit: "Edit", replyTo: "Reply to", editing: "Edit message", typing: "is typing", bot: "Bot",
    topicCreated: (name) => `Topic “${name}” was opened`, topicEdited: (name) => `The topic is now called “${name}”`, topicIcon: "The topic has a new icon", topicClosed: "The topic was closed",
    topicReopened: "The topic was opened again", pinned: "A message was pinned", founded: "The group was founded", upgraded: "The group became a supergroup",
    failed: "That did not work", today: "Today", copied: "Copied", as: "Write as", keyboard: "Keyboard", noMessages: "No messages yet", start: "Start",
    action: { typing: "is typing", upload_photo: "is sending a photo", upload_document: "is sending a file", upload_voice: "is sending a voice message", record_voice: "is recording" },
  },
  zh: ZH,
  "zh-hant": HANT,
};
