import type { Account } from "../state/account.ts";
import type { Control } from "../subscriptions/control.ts";
import { type Markup, page } from "./html.ts";

export interface Visit {
  account: Account;
  control: Control;
  id: string;
  /** The form's fields; empty for GET. */
  form: URLSearchParams;
}

export interface PageAnswer {
  status: number;
  location?: string;
  body?: Markup | Buffer;
}

export interface PageRoute {
  method: "GET" | "POST";
  path: string;
  run: (visit: Visit) => PageAnswer;
}

export function shows(title: string, body: Markup, status = 200): PageAnswer {
  return { status, body: page(title, body) };
}

export function seeOther(location: string): PageAnswer {
  return { status: 303, location };
}
