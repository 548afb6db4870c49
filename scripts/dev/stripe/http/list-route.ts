import type { z } from "zod";
import type { Collection, State } from "../state.ts";
import { pageOf } from "./lists.ts";
import { read } from "./params.ts";
import type { Route } from "./route.ts";

interface Listed<T, Filters> {
  path: string;
  of: (state: State) => Collection<T>;
  filters: z.ZodType<Filters>;
  /** What an object says to each filter: it is listed when that is what was asked for. */
  facts: { [Name in keyof Filters]-?: (object: T) => unknown };
}

/** Lists what was made, newest first, of what is as every filter that was given says. */
export function listRoute<T extends { id: string; created?: number }, Filters extends object>({
  path,
  of,
  filters,
  facts,
}: Listed<T, Filters>): Route {
  const names = Object.keys(facts) as (keyof Filters)[];
  return {
    method: "GET",
    path,
    run: ({ account, params }) => {
      const wanted = read(filters, params);
      const found = Object.values(of(account.state)).filter((object) =>
        names.every((name) => wanted[name] === undefined || facts[name](object) === wanted[name]),
      );
      return pageOf(path, found, params);
    },
  };
}
