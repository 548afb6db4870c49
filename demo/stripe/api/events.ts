import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { read, text } from "../http/params.ts";
import type { Route } from "../http/route.ts";

const filters = z.object({ type: text.optional(), types: z.array(text).optional() });

export const eventRoutes: Route[] = [
  {
    method: "GET",
    path: "/v1/events",
    run: ({ account, params }) => {
      const { type, types } = read(filters, params);
      const found = Object.values(account.state.events).filter(
        (each) => (type === undefined || matches(each.type, type)) && (!types || types.includes(each.type)),
      );
      return pageOf("/v1/events", found, params);
    },
  },
];

/** "customer.*" matches every type with that prefix. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
