// Shows a text with its entities as elements. Offsets are UTF-16 code units, as in JavaScript's own strings.

import { h } from "./dom.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code", pre: "pre", blockquote: "blockquote", expandable_blockquote: "blockquote" };
const SAFE = /^(https?|ftp|mailto|tel|tg|ton):/i;

export function richText(text, entities, onCommand) {
  const inside = (begin, end, rest) => {
    const out = [];
    let position = begin;
    while (rest.length) {
      const [entity, ...others] = rest;
      const stop = Math.min(entity.offset + entity.length, end);
      const nested = others.filter((other) => other.offset < stop);
      rest = others.slice(nested.length);
      if (entity.offset > position) out.push(text.slice(position, entity.offset));
      out.push(wrap(entity, text.slice(entity.offset, stop), inside(entity.offset, stop, nested), onCommand));
      position = stop;
    }
    if (position < end) out.push(text.slice(position, end));
    return out;
  };
  return inside(0, text.length, [...(entities || [])]);
}

function wrap(entity, text, content, onCommand) {
  const tag = TAGS[entity.type];
  if (tag) return h(tag, { class: entity.type === "pre" && entity.language ? "has-language" : null, "data-language": entity.language }, content);
  if (entity.type === "spoiler") return h("button", { type: "button", class: "spoiler", onclick: (event) => event.currentTarget.classList.toggle("shown") }, content);
  if (entity.type === "text_link") return link(entity.url, content);
  if (entity.type === "url") return link(SAFE.test(text) ? text : `https://${text}`, content);
  if (entity.type === "email") return link(`mailto:${text}`, content);
  if (entity.type === "phone_number") return link(`tel:${text.replace(/[^+\d]/g, "")}`, content);
  if (entity.type === "bot_command") return h("button", { type: "button", class: "link", onclick: () => onCommand(text) }, content);
  return h("span", { class: "link" }, content);
}

function link(url, content) {
  if (!SAFE.test(url)) return h("span", {}, content);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, content);
}
