import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { describe, expect } from "vitest";
import { clientOf, testShop as test } from "../support/billing/stand-in-site.ts";

describe("the API", () => {
  test("answers errors as the classes of the SDK", async ({ shop }) => {
    const { stripe, standIn, customer, monthly } = shop;
    await expect(stripe.customers.retrieve("cus_none")).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      code: "resource_missing",
      statusCode: 404,
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(clientOf({ ...standIn, secretKey: "sk_test_wrong" }).balance.retrieve()).rejects.toThrow(
      Stripe.errors.StripeAuthenticationError,
    );
    await expect(stripe.rawRequest("GET", "/v1/nothing")).rejects.toThrow(
      Stripe.errors.StripeInvalidRequestError,
    );
    await expect(stripe.products.create({ name: "x".repeat(6_000) })).rejects.toMatchObject({
      param: "name",
    });
    await expect(
      stripe.paymentMethods.attach("pm_card_chargeDeclined", { customer: customer.id }),
    ).rejects.toThrow(Stripe.errors.StripeCardError);
    await expect(
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: "price_none" }] }),
    ).rejects.toMatchObject({ statusCode: 400, param: "items[0][price]", code: "resource_missing" });
    await expect(stripe.prices.retrieve(monthly.id, { expand: ["currency"] })).rejects.toMatchObject({
      param: "expand",
    });
  });

  test("does the same request once per idempotency key", async ({ shop }) => {
    const { stripe } = shop;
    const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey: "key-1" });
    const made = await Promise.all(Array.from({ length: 20 }, () => create("same@example.com")));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const replayed = made.filter(
      ({ lastResponse }) => lastResponse.headers["idempotent-replayed"] === "true",
    );
    expect(replayed).toHaveLength(19);
    await expect(create("other@example.com")).rejects.toThrow(Stripe.errors.StripeIdempotencyError);
  });

  test.for([false, true])(
    "refuses a key that a running request uses, before or after its effect: %s",
    async (afterEffect, { shop }) => {
      const { stripe, standIn } = shop;
      const impatient = clientOf(standIn, { maxNetworkRetries: 0 });
      const create = (client: Stripe, email: string) =>
        client.customers.create({ email }, { idempotencyKey: "key-2" });
      standIn.control.failNext({ hangMs: 1_500, afterEffect, pathIncludes: "/customers" });
      const first = create(stripe, "late@example.com");
      await sleep(300);
      await expect(create(impatient, "late@example.com")).rejects.toMatchObject({
        statusCode: 409,
        code: "idempotency_key_in_use",
      });
      await expect(create(impatient, "other@example.com")).rejects.toThrow(
        Stripe.errors.StripeIdempotencyError,
      );
      const { id } = await first;
      expect(await create(impatient, "late@example.com")).toMatchObject({ id });
      expect((await stripe.customers.list({ email: "late@example.com" })).data).toHaveLength(1);
    },
  );

  test("makes one object when the answer was lost after the effect and the SDK asks again", async ({
    shop,
  }) => {
    const { stripe, standIn } = shop;
    standIn.control.failNext({ status: 500, afterEffect: true, pathIncludes: "/customers" });
    await stripe.customers.create({ email: "once@example.com" });
    standIn.control.failNext({ hangMs: 600, afterEffect: true, pathIncludes: "/customers" });
    await clientOf(standIn, { timeout: 200 }).customers.create({ email: "once@example.com" });
    expect((await stripe.customers.list({ email: "once@example.com" })).data).toHaveLength(2);
    standIn.control.failNext({ status: 500, times: 3, pathIncludes: "/customers" });
    await expect(stripe.customers.create({ email: "never@example.com" })).rejects.toThrow(
      Stripe.errors.StripeAPIError,
    );
    expect((await stripe.customers.list({ email: "never@example.com" })).data).toEqual([]);
  });

  test("pages through lists, filters them, and expands what is requested", async ({ shop }) => {
    const { stripe, monthly, product, yearly, standIn, subscribe } = shop;
    const ids: string[] = [];
    for await (const price of stripe.prices.list({ product: product.id, limit: 1 })) ids.push(price.id);
    expect(ids).toEqual([yearly.id, monthly.id]);
    expect((await stripe.prices.list({ recurring: { interval: "year" } })).data[0]?.id).toBe(yearly.id);
    expect((await stripe.prices.list({ lookup_keys: ["monthly"] })).data[0]?.id).toBe(monthly.id);
    const { data } = await stripe.prices.list({ expand: ["data.product"], limit: 1 });
    expect(data[0]?.product).toMatchObject({ name: "Membership" });

    const before = standIn.control.now();
    await standIn.control.advance(3_600);
    const bought = await subscribe();
    const later = await stripe.events.list({ created: { gt: before + 60 }, limit: 100 });
    expect(later.data.map(({ type }) => type)).toContain("customer.subscription.created");
    expect(later.data.map(({ type }) => type)).not.toContain("product.created");
    const [invoice] = (await stripe.invoices.list({ subscription: bought.id, expand: ["data.payments"] }))
      .data;
    expect(invoice?.payments?.data[0]).toMatchObject({ status: "paid", amount_paid: 1499 });
    expect(invoice?.parent?.subscription_details?.subscription).toBe(bought.id);
    const upcoming = await stripe.invoices.createPreview({ subscription: bought.id });
    expect(upcoming.amount_due).toBe(1499);
  });

  test("refunds, disputes and forgets customers", async ({ receiver, shop }) => {
    const { stripe, standIn, subscribe, customer, statusOf } = shop;
    const bought = await subscribe();
    const dispute = standIn.control.dispute(bought.id);
    standIn.control.closeDispute(dispute.id, "lost");
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe("lost");
    const charge = await stripe.charges.retrieve(String(dispute.charge));
    const payments = await stripe.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: String(charge.payment_intent) },
    });
    expect(payments.data[0]?.invoice).toBe(bought.latest_invoice);
    await stripe.refunds.create({ charge: charge.id, amount: 499 });
    await stripe.refunds.create({ charge: charge.id });
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: "charge_already_refunded",
    });
    await stripe.customers.del(customer.id);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
    expect(await statusOf(bought.id)).toBe("canceled");
    await standIn.control.idle();
    expect(receiver.types()).toEqual(
      expect.arrayContaining([
        "charge.refunded",
        "charge.dispute.created",
        "charge.dispute.closed",
        "customer.deleted",
      ]),
    );
  });
});
