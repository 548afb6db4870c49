import type { z } from "zod";
import { required } from "../state/account.ts";
import type { Collection, State } from "../state/state.ts";
import { pageOf } from "./lists.ts";
import { read } from "./params.ts";
import type { Route } from "./route.ts";

interface Listed<T, Filters> {
  path: string;
  of: (state: State) => Collection<T>;
  filters: z.ZodType<Filters>;
  /** The value of an object for each filter; the object is listed when it equals the given one. */
  facts: { [Name in keyof Filters]-?: (object: T) => unknown };
}

/** Lists the objects that match all given filters, newest first. */
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

/** Shows the object of an id. `kind` is its name in the refusal. */
export function retrieveRoute(path: string, kind: string, of: (state: State) => Collection<object>): Route {
  return {
    method: "GET",
    path: `${path}/:id`,
    run: ({ account, id }) => required(of(account.state), kind, id),
  };
}
