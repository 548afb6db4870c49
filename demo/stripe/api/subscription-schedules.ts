import { z } from "zod";
import { read, text } from "../http/params.ts";
import { listRoute, retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";
import { makeSchedule, releaseSchedule, setEndBehavior } from "../subscriptions/schedules.ts";
import { requireChangeable } from "../subscriptions/update-subscription.ts";

const PATH = "/v1/subscription_schedules";
/** A schedule with further phases is refused, because they would not come here. */
const creation = z.strictObject({ from_subscription: text });
const update = z.strictObject({ end_behavior: z.enum(["cancel", "release"]) });

export const subscriptionScheduleRoutes: Route[] = [
  {
    method: "POST",
    path: PATH,
    run: ({ account, params }) => {
      const { from_subscription: id } = read(creation, params);
      const subscription = required(account.state.subscriptions, "subscription", id, "from_subscription");
      requireChangeable(subscription);
      if (subscription.schedule !== null) {
        throw invalid("The subscription already has a schedule.", "from_subscription");
      }
      return makeSchedule(account, subscription);
    },
  },
  listRoute({
    path: PATH,
    of: ({ schedules }) => schedules,
    filters: z.object({ customer: text.optional() }),
    facts: { customer: (each) => idOf(each.customer) },
  }),
  retrieveRoute(PATH, "subscription_schedule", ({ schedules }) => schedules),
  {
    method: "POST",
    path: `${PATH}/:id`,
    run: ({ account, id, params }) => {
      const schedule = required(account.state.schedules, "subscription_schedule", id);
      setEndBehavior(account, schedule, read(update, params).end_behavior);
      return schedule;
    },
  },
  {
    method: "POST",
    path: `${PATH}/:id/release`,
    run: ({ account, id }) => {
      const schedule = required(account.state.schedules, "subscription_schedule", id);
      releaseSchedule(account, schedule);
      return schedule;
    },
  },
];
