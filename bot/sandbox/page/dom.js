// Builds elements; text only ever enters the page through text nodes.

export const $ = (id) => document.getElementById(id);

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const PATHS = {
  back: "M15 5l-7 7 7 7",
  send: "M5 12l14-7-4 14-3.5-5.500z",
  clip: "M19 11.500l-7.5 7.500a4.5 4.5 0 0 1-6.4-6.400l8-8a3 3 0 0 1 4.3 4.300l-8 8a1.5 1.5 0 0 1-2.1-2.100l7-7",
  menu: "M4 7h16M4 12h16M4 17h10",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  sun: "M12 7.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.600L19 19M5 19l1.4-1.400M17.6 6.400L19 5",
  moon: "M20 14.500A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.500z",
  auto: "M12 3.500a8.5 8.5 0 1 0 0 17zM12 3.500a8.5 8.5 0 0 1 0 17",
  block: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M6 6l12 12",
  forward: "M4 6l7 6-7 6zM13 6l7 6-7 6z",
  down: "M6 9l6 6 6-6",
  reply: "M10 8V4l-7 7 7 7v-4.200c5 0 8 1.7 10 5.2-.6-6-4-10.5-10-11z",
  edit: "M4 20l1-4.500L16 4.500l3.5 3.500L8.5 19z",
  photo: "M4 6.500A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.500v11a1.5 1.5 0 0 1-1.5 1.500h-13A1.5 1.5 0 0 1 4 17.500zM4 16l5-5 4 4 2-2 5 5M15 9.500h.1",
  file: "M7 3.500h7l4.5 4.500v12.500H7zM14 3.500V8h4.5",
  mic: "M12 4a2.5 2.5 0 0 0-2.5 2.500v5a2.5 2.5 0 0 0 5 0v-5A2.5 2.5 0 0 0 12 4M6.5 11.500a5.5 5.5 0 0 0 11 0M12 17v3.5",
  smile: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M8.5 14a4 4 0 0 0 7 0M9 9.500h.1M15 9.500h.1",
  person: "M12 4.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M5 20c.5-4 3.5-6 7-6s6.5 2 7 6",
  pin: "M12 3.500a6 6 0 0 0-6 6c0 4.5 6 11 6 11s6-6.5 6-11a6 6 0 0 0-6-6M12 7.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z",
  group: "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M3 19c.4-3.5 3-5.5 6-5.500s5.6 2 6 5.500M16 6a2.5 2.5 0 0 1 0 5M17 13.800c2.3.4 3.7 2.2 4 5.2",
  globe: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M3.5 12h17M12 3.500c-5 5-5 12 0 17M12 3.500c5 5 5 12 0 17",
  play: "M8 5.5v13l10.5-6.5z",
  external: "M8 16L17 7M10 7h7v7",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function label(element, text, ...content) {
  element.title = text;
  element.setAttribute("aria-label", text);
  if (content.length) element.replaceChildren(...content);
}

export function avatar(element, name, id, kind) {
  element.className = `avatar tone-${Math.abs(Number(id)) % 7}`;
  element.replaceChildren(kind === "group" ? icon("group") : [...(name.trim() || "?")][0].toUpperCase());
  return element;
}
