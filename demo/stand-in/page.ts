import type { Markup } from "./html.ts";

export interface PageAnswer {
  status: number;
  title?: string;
  location?: string;
  body?: Markup | Buffer;
}

/** V is what a provider's pages are given of a request. */
export interface PageRoute<V> {
  method: "GET" | "POST";
  path: string;
  run: (visit: V) => PageAnswer;
}

export function shows(title: string, body: Markup, status = 200): PageAnswer {
  return { status, title, body };
}

export function seeOther(location: string): PageAnswer {
  return { status: 303, location };
}
