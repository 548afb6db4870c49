import { z } from "zod";
import { flag, metadata, text, whole } from "./params.ts";

const discounts = z.array(z.object({ coupon: text.optional(), promotion_code: text.optional() })).max(1);
const missingPaymentMethod = z.enum(["cancel", "create_invoice", "pause"]);

export const trialSettings = z.object({
  end_behavior: z.object({ missing_payment_method: missingPaymentMethod.default("create_invoice") }),
});

export type SessionParams = z.infer<typeof sessionParams>;

export const sessionParams = z.object({
  mode: z.literal("subscription"),
  line_items: z
    .array(z.object({ price: text, quantity: whole.min(1).default(1) }))
    .min(1)
    .max(1),
  success_url: text,
  cancel_url: text.optional(),
  currency: text.length(3).optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  allow_promotion_codes: flag.optional(),
  discounts: discounts.optional(),
  automatic_tax: z.object({ enabled: flag }).optional(),
  payment_method_collection: z.enum(["always", "if_required"]).default("always"),
  expires_at: whole.optional(),
  subscription_data: z
    .object({
      metadata: metadata.optional(),
      description: text.optional(),
      trial_period_days: whole.min(1).max(730).optional(),
      trial_end: whole.optional(),
      trial_settings: trialSettings.optional(),
    })
    .default({}),
});
