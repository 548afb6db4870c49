import { afterEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paymentWarning } from "./payment-warning.ts";

afterEach(() => {
  config.billing.stripe = null;
});

test("only a key without a webhook secret gives a warning, in one line", () => {
  expect(paymentWarning()).toBeNull();
  const settings = { secretKey: "sk_test_of_the_test", apiUrl: undefined };
  config.billing.stripe = { ...settings, webhookSecrets: ["whsec_of_the_test"] };
  expect(paymentWarning()).toBeNull();
  config.billing.stripe = { ...settings, webhookSecrets: [] };
  expect(paymentWarning()).toMatch(
    /^STRIPE_WEBHOOK_SECRET is not set: [^\n]*\/api\/billing\/webhook\/stripe [^\n]*$/,
  );
  expect(paymentWarning()).not.toContain("sk_test");
});
