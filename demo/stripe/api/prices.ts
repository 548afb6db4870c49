import Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { flag, mergeMetadata, metadata, read, text, unsettable, whole } from "../http/params.ts";
import { retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { currencyOptions } from "../invoices/presentment.ts";
import { type Account, required } from "../state/account.ts";
import { idOf, newId } from "../state/ids.ts";

const price = z.object({
  currency: text.length(3),
  currency_options: z.record(text.length(3), z.object({ unit_amount: whole.min(0) })).optional(),
  product: text,
  unit_amount: whole.min(0),
  recurring: z
    .object({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: whole.min(1).default(1),
    })
    .optional(),
  active: flag.optional(),
  nickname: unsettable.optional(),
  lookup_key: unsettable.optional(),
  metadata: metadata.optional(),
  transform_quantity: z.object({ divide_by: whole.min(2), round: z.enum(["down", "up"]) }).optional(),
  tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).default("unspecified"),
});
const priceUpdate = price.pick({ active: true, nickname: true, lookup_key: true, metadata: true });
const filters = z.object({
  active: flag.optional(),
  product: text.optional(),
  type: z.enum(["one_time", "recurring"]).optional(),
  lookup_keys: z.array(text).optional(),
  recurring: z.object({ interval: text.optional() }).optional(),
});

export const priceRoutes: Route[] = [
  {
    method: "GET",
    path: "/v1/prices",
    run: ({ account, params }) => {
      const wanted = read(filters, params);
      const found = Object.values(account.state.prices).filter(
        (each) =>
          (wanted.active === undefined || each.active === wanted.active) &&
          (wanted.product === undefined || idOf(each.product) === wanted.product) &&
          (wanted.recurring?.interval === undefined ||
            each.recurring?.interval === wanted.recurring.interval) &&
          (wanted.type === undefined || each.type === wanted.type) &&
          (!wanted.lookup_keys || wanted.lookup_keys.includes(each.lookup_key ?? "")),
      );
      return pageOf("/v1/prices", found, params);
    },
  },
  { method: "POST", path: "/v1/prices", run: ({ account, params }) => createPrice(account, params) },
  retrieveRoute("/v1/prices", "price", ({ prices }) => prices),
  {
    method: "POST",
    path: "/v1/prices/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.prices, "price", id);
      const { metadata: given, ...values } = read(priceUpdate.partial(), params);
      account.change("price.updated", found, () => {
        Object.assign(found, values, { metadata: mergeMetadata(found.metadata, given) });
      });
      showIn(account, found);
      return found;
    },
  },
];

export function createPrice(account: Account, params: unknown, id = newId("price")): Stripe.Price {
  const values = read(price, params);
  required(account.state.products, "product", values.product, "product");
  const made: Stripe.Price = {
    id,
    object: "price",
    active: values.active ?? true,
    billing_scheme: "per_unit",
    created: account.now(),
    currency: values.currency,
    ...(values.currency_options && { currency_options: currencyOptions(values.currency_options) }),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: values.lookup_key ?? null,
    metadata: mergeMetadata({}, values.metadata),
    nickname: values.nickname ?? null,
    product: values.product,
    recurring: values.recurring
      ? { ...values.recurring, meter: null, trial_period_days: null, usage_type: "licensed" }
      : null,
    tax_behavior: values.tax_behavior,
    tiers_mode: null,
    transform_quantity: values.transform_quantity ?? null,
    type: values.recurring ? "recurring" : "one_time",
    unit_amount: values.unit_amount,
    unit_amount_decimal: Stripe.Decimal.from(values.unit_amount),
  };
  account.state.prices[id] = made;
  account.record("price.created", made);
  return made;
}

/** Subscriptions always show the current version of a price. */
function showIn(account: Account, price: Stripe.Price): void {
  for (const { items } of Object.values(account.state.subscriptions)) {
    for (const item of items.data) if (item.price.id === price.id) item.price = price;
  }
}
