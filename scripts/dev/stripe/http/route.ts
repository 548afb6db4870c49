import type { Account } from "../account.ts";

export interface Call {
  account: Account;
  /** What the path names, in its order. */
  id: string;
  params: Record<string, unknown>;
}

/** One call of the API. A path's ":id" is handed over as id. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  path: string;
  run: (call: Call) => object;
}

export function matchPath<R extends { method: string; path: string }>(
  routes: R[],
  method: string,
  path: string,
): { route: R; id: string } | null {
  const parts = path.split("/");
  for (const route of routes) {
    const wanted = route.path.split("/");
    if (route.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, place) => part === ":id" || part === parts[place])) continue;
    return { route, id: parts[wanted.indexOf(":id")] ?? "" };
  }
  return null;
}
