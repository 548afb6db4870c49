import { afterEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import { paymentWarnings, providerOf, providers, sellingProvider } from "./providers.server.ts";

afterEach(() => {
  Object.assign(config.billing, { stripe: null, ccbill: null, seller: null });
});

const settings = { secretKey: "sk_test_of_the_test", apiUrl: undefined };

test("the providers are those that are set up, and the first sells", () => {
  expect([providers().size, sellingProvider(), providerOf("stripe")]).toEqual([0, null, null]);
  config.billing.stripe = { ...settings, webhookSecrets: [] };
  expect([...providers().keys()]).toEqual(["stripe"]);
  expect(sellingProvider()).toBe(providerOf("stripe"));
  expect(providerOf("former")).toBeNull();
});

test("of several, the one that the settings name sells", () => {
  config.billing.stripe = { ...settings, webhookSecrets: [] };
  config.billing.ccbill = ccbillSettings();
  for (const name of ["stripe", "ccbill"] as const) {
    config.billing.seller = name;
    expect(sellingProvider()?.name).toBe(name);
  }
  expect(providers().size).toBe(2);
});

test("only a provider whose events cannot arrive gives a warning, in one line", () => {
  expect(paymentWarnings()).toEqual([]);
  config.billing.stripe = { ...settings, webhookSecrets: ["whsec_of_the_test"] };
  expect(paymentWarnings()).toEqual([]);
  config.billing.stripe = { ...settings, webhookSecrets: [] };
  expect(paymentWarnings()).toEqual([
    expect.stringMatching(/^STRIPE_WEBHOOK_SECRET is not set, [^\n]*\/api\/billing\/webhook\/stripe [^\n]*$/),
  ]);
  expect(paymentWarnings().join()).not.toContain("sk_test");
});
