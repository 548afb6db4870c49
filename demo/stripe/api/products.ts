import type Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { flag, mergeMetadata, metadata, read, text, unsettable } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { newId } from "../state/ids.ts";

const product = z.object({
  id: text.optional(),
  name: text,
  active: flag.optional(),
  description: unsettable.optional(),
  metadata: metadata.optional(),
  default_price: text.optional(),
  images: z.array(text).optional(),
});
const filters = z.object({ active: flag.optional(), ids: z.array(text).optional() });

export const productRoutes: Route[] = [
  {
    method: "GET",
    path: "/v1/products",
    run: ({ account, params }) => {
      const { active, ids } = read(filters, params);
      const found = Object.values(account.state.products).filter(
        (each) => (active === undefined || each.active === active) && (!ids || ids.includes(each.id)),
      );
      return pageOf("/v1/products", found, params);
    },
  },
  { method: "POST", path: "/v1/products", run: ({ account, params }) => createProduct(account, params) },
  {
    method: "POST",
    path: "/v1/products/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.products, "product", id);
      const { metadata: given, id: _, ...values } = read(product.partial(), params);
      return account.change("product.updated", found, () => {
        Object.assign(found, values, {
          metadata: mergeMetadata(found.metadata, given),
          updated: account.now(),
        });
      });
    },
  },
];

export function createProduct(account: Account, params: unknown): Stripe.Product {
  const { id = newId("prod"), metadata: given, ...values } = read(product, params);
  if (account.state.products[id]) {
    throw invalid("Product already exists.", "id", "resource_already_exists");
  }
  const made: Stripe.Product = {
    id,
    object: "product",
    active: values.active ?? true,
    created: account.now(),
    default_price: values.default_price ?? null,
    description: values.description ?? null,
    images: values.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, given),
    name: values.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: account.now(),
    url: null,
  };
  account.state.products[id] = made;
  account.record("product.created", made);
  return made;
}
