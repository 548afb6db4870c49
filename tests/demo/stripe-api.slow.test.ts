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
