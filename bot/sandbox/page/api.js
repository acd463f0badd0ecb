// Calls the `/client` paths; a refusal becomes an exception with the server's words.

import { state } from "./state.js";

export async function call(path, body, verb = body === undefined ? "GET" : "POST") {
  const response = await fetch(`/client${path}`, { method: verb, headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error);
  return answer.result;
}

export const fileUrl = (path) => `/file/bot${state.token}/${path}`;
