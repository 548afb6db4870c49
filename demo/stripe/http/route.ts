import type { Account } from "../state/account.ts";

export interface Call {
  account: Account;
  /** The value of the path's ":id"; empty when it has none. */
  id: string;
  params: Record<string, unknown>;
}

export interface Route {
  method: "GET" | "POST" | "DELETE";
  path: string;
  run: (call: Call) => object;
}
