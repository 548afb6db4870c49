import type Stripe from "stripe";
import { z } from "zod";
import { read, text } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import { type Account, required } from "../state/account.ts";
import { newSecret } from "../state/ids.ts";
import { createConfiguration } from "./portal-configurations.ts";

const session = z.object({
  customer: text,
  return_url: text.optional(),
  configuration: text.optional(),
  flow_data: z
    .object({
      type: z.enum(["payment_method_update", "subscription_cancel"]),
      subscription_cancel: z.object({ subscription: text }).optional(),
    })
    .optional(),
});

export const portalSessionRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/billing_portal/sessions",
    run: ({ account, params }) => createSession(account, read(session, params)),
  },
];

function createSession(account: Account, params: z.infer<typeof session>): Stripe.BillingPortal.Session {
  required(account.state.customers, "customer", params.customer, "customer");
  const { portalConfigurations } = account.state;
  if (params.configuration !== undefined) {
    required(portalConfigurations, "configuration", params.configuration, "configuration");
  }
  const usual = Object.values(portalConfigurations).find(({ is_default }) => is_default);
  const id = newSecret("bps");
  const made: Stripe.BillingPortal.Session = {
    id,
    object: "billing_portal.session",
    configuration: params.configuration ?? usual?.id ?? createConfiguration(account, EVERYTHING).id,
    created: account.now(),
    customer: params.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${account.origin}/p/session/${id}${params.flow_data ? `#${params.flow_data.type}` : ""}`,
  };
  account.state.portalSessions[id] = made;
  account.changed();
  return made;
}

const EVERYTHING = {
  features: {
    invoice_history: { enabled: "true" },
    payment_method_update: { enabled: "true" },
    subscription_cancel: { enabled: "true" },
    subscription_update: { enabled: "true" },
  },
};
