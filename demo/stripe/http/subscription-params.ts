import { z } from "zod";
import { trialSettings } from "./checkout-params.ts";
import { flag, metadata, text, unsettable, whole } from "./params.ts";

const item = z.object({ id: text.optional(), price: text.optional(), quantity: whole.min(1).optional() });
const discounts = z.union([
  z.literal(""),
  z.array(z.object({ coupon: text.optional(), promotion_code: text.optional() })).max(1),
]);

const feedback = z.enum([
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
]);

export const creation = z.object({
  customer: text,
  items: z.array(item.extend({ price: text })).length(1),
  default_payment_method: text.optional(),
  trial_period_days: whole.min(1).optional(),
  trial_end: z.union([z.literal("now"), whole]).optional(),
  trial_settings: trialSettings.optional(),
  payment_behavior: z
    .enum(["allow_incomplete", "default_incomplete", "error_if_incomplete"])
    .default("allow_incomplete"),
  cancel_at_period_end: flag.default(false),
  automatic_tax: z.object({ enabled: flag }).optional(),
  discounts: discounts.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
});

export const cancellation = z.object({
  cancellation_details: z.object({ comment: text.optional(), feedback: feedback.optional() }).optional(),
});

export const update = cancellation.extend({
  cancel_at_period_end: flag.optional(),
  cancel_at: z.union([z.literal(""), whole]).optional(),
  items: z.array(item).length(1).optional(),
  proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).default("create_prorations"),
  trial_end: z.union([z.literal("now"), whole]).optional(),
  pause_collection: z
    .union([
      z.literal(""),
      z.object({
        behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
        resumes_at: whole.optional(),
      }),
    ])
    .optional(),
  default_payment_method: unsettable.optional(),
  discounts: discounts.optional(),
  description: unsettable.optional(),
  metadata: metadata.optional(),
});

export const filters = z.object({
  customer: text.optional(),
  price: text.optional(),
  status: z
    .enum([
      "all",
      "ended",
      "active",
      "canceled",
      "incomplete",
      "incomplete_expired",
      "past_due",
      "paused",
      "trialing",
      "unpaid",
    ])
    .optional(),
});
