import type Stripe from "stripe";
import { z } from "zod";
import { flag, mergeMetadata, metadata, read, text, unsettable } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import type { Account } from "../state/account.ts";
import { newId } from "../state/ids.ts";

const enabled = z.object({ enabled: flag });
const configuration = z.object({
  active: flag.optional(),
  business_profile: z
    .object({
      headline: unsettable.optional(),
      privacy_policy_url: text.optional(),
      terms_of_service_url: text.optional(),
    })
    .default({}),
  default_return_url: unsettable.optional(),
  name: unsettable.optional(),
  features: z
    .object({
      customer_update: enabled.optional(),
      invoice_history: enabled.optional(),
      payment_method_update: enabled.optional(),
      subscription_cancel: enabled.optional(),
      subscription_update: enabled.optional(),
    })
    .default({}),
  metadata: metadata.optional(),
});
export const portalConfigurationRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/billing_portal/configurations",
    run: ({ account, params }) => createConfiguration(account, params),
  },
];

export function createConfiguration(account: Account, params: unknown): Stripe.BillingPortal.Configuration {
  const { features, business_profile: profile, ...values } = read(configuration, params);
  const made: Stripe.BillingPortal.Configuration = {
    id: newId("bpc"),
    object: "billing_portal.configuration",
    active: values.active ?? true,
    application: null,
    business_profile: {
      headline: profile.headline ?? null,
      privacy_policy_url: profile.privacy_policy_url ?? null,
      terms_of_service_url: profile.terms_of_service_url ?? null,
    },
    created: account.now(),
    default_return_url: values.default_return_url ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: features.customer_update?.enabled ?? false },
      invoice_history: { enabled: features.invoice_history?.enabled ?? false },
      payment_method_update: {
        enabled: features.payment_method_update?.enabled ?? false,
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: [], options: [] },
        enabled: features.subscription_cancel?.enabled ?? false,
        mode: "at_period_end",
        proration_behavior: "none",
      },
      subscription_pause: { duration: { interval_options: [], type: "indefinite" }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: features.subscription_update?.enabled ?? false,
        proration_behavior: "create_prorations",
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: "continue_trial",
      },
    },
    is_default: Object.keys(account.state.portalConfigurations).length === 0,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: mergeMetadata({}, values.metadata),
    name: values.name ?? null,
    updated: account.now(),
  };
  account.state.portalConfigurations[made.id] = made;
  account.changed();
  return made;
}
