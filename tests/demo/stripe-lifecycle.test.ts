import { describe, expect } from "vitest";
import { invoicedBy, testShop as test } from "../support/billing/stand-in-site.ts";

const DAY = 86_400;

describe("a subscription's life", () => {
  test("goes from a trial through a failed payment to its end", async ({ receiver, shop }) => {
    const { stripe, standIn, subscribe, statusOf } = shop;
    const bought = await subscribe("4242", {
      subscription_data: { trial_period_days: 7, metadata: { site: "peony" } },
      client_reference_id: "user-1",
    });
    expect(bought).toMatchObject({ status: "trialing", metadata: { site: "peony" } });
    expect(bought.items.data[0]?.current_period_end).toBe(bought.trial_end);
    expect(await invoicedBy(shop.stripe, bought.id)).toEqual([0]);

    await standIn.control.advance(4 * DAY + 60);
    await standIn.control.idle();
    expect(receiver.types()).toContain("customer.subscription.trial_will_end");
    await standIn.control.advance(3 * DAY);
    expect(await statusOf(bought.id)).toBe("active");
    expect(await invoicedBy(shop.stripe, bought.id)).toEqual([1499, 0]);

    standIn.control.failNextPayment(bought.id);
    await standIn.control.advance(31 * DAY);
    await standIn.control.idle();
    expect(receiver.types()).toEqual(expect.arrayContaining(["invoice.upcoming", "invoice.payment_failed"]));
    expect(await statusOf(bought.id)).toBe("past_due");
    const [open] = (await stripe.invoices.list({ subscription: bought.id, status: "open" })).data;
    expect(open).toMatchObject({ attempt_count: 1, amount_remaining: 1499 });
    await stripe.invoices.pay(open?.id ?? "");
    expect(await statusOf(bought.id)).toBe("active");

    await stripe.subscriptions.update(bought.id, { cancel_at_period_end: true });
    const undone = await stripe.subscriptions.update(bought.id, { cancel_at_period_end: false });
    expect(undone).toMatchObject({ cancel_at: null, canceled_at: null });
    const cancelled = await stripe.subscriptions.update(bought.id, { cancel_at_period_end: true });
    expect(cancelled.cancel_at).toBe(cancelled.items.data[0]?.current_period_end);
    await standIn.control.advance(31 * DAY);
    expect(await statusOf(bought.id)).toBe("canceled");
    await standIn.control.idle();
    expect(receiver.types()).toContain("customer.subscription.deleted");
  });

  test("ends after the last of four attempts, or stays unpaid where that is set", async ({ shop }) => {
    const { standIn, subscribe, statusOf, stripe } = shop;
    const first = await subscribe("0341");
    expect(first.status).toBe("active");
    await standIn.control.advance(31 * DAY);
    expect(await statusOf(first.id)).toBe("past_due");
    // The extra minute covers the real seconds that pass while retries are scheduled.
    await standIn.control.advance(15 * DAY + 60);
    expect(await statusOf(first.id)).toBe("canceled");
    const [unpaid] = (await stripe.invoices.list({ subscription: first.id })).data;
    expect(unpaid).toMatchObject({ status: "open", attempt_count: 4, next_payment_attempt: null });

    standIn.control.afterRetries("unpaid");
    const second = await subscribe("0341");
    await standIn.control.advance((31 + 15) * DAY + 60);
    expect(await statusOf(second.id)).toBe("unpaid");
  });

  test("that nobody pays for expires after 23 hours", async ({ shop }) => {
    const { stripe, standIn, customer, monthly, statusOf } = shop;
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: monthly.id }],
      payment_behavior: "default_incomplete",
    });
    expect(made.status).toBe("incomplete");
    await standIn.control.advance(23 * 3_600 + 1);
    expect(await statusOf(made.id)).toBe("incomplete_expired");
  });

  test("pauses after a trial without a card, and resumes with one", async ({ shop }) => {
    const { stripe, standIn, subscribe, statusOf, customer } = shop;
    const bought = await subscribe("none", {
      payment_method_collection: "if_required",
      subscription_data: {
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: "pause" } },
      },
    });
    await standIn.control.advance(8 * DAY);
    expect(await statusOf(bought.id)).toBe("paused");
    const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
    await stripe.subscriptions.update(bought.id, { default_payment_method: card.id });
    expect((await stripe.subscriptions.resume(bought.id)).status).toBe("active");
    expect(await invoicedBy(shop.stripe, bought.id)).toEqual([1499, 0]);
  });

  test("can get a discount and a cancellation reason later", async ({ shop }) => {
    const { stripe, standIn, monthly } = shop;
    const buyer = await stripe.customers.create({
      payment_method: "pm_card_visa",
      invoice_settings: { default_payment_method: "pm_card_visa" },
    });
    const made = await stripe.subscriptions.create({ customer: buyer.id, items: [{ price: monthly.id }] });
    expect(made.status).toBe("active");
    const coupon = await stripe.coupons.create({ amount_off: 500, currency: "usd", duration: "forever" });
    await stripe.subscriptions.update(made.id, { discounts: [{ coupon: coupon.id }] });
    expect((await stripe.invoices.createPreview({ customer: buyer.id })).amount_due).toBe(999);
    await standIn.control.advance(62 * DAY);
    expect(await invoicedBy(shop.stripe, made.id)).toEqual([999, 999, 1499]);
    const left = await stripe.subscriptions.update(made.id, {
      cancel_at_period_end: true,
      cancellation_details: { feedback: "unused" },
    });
    expect(left.cancellation_details).toMatchObject({
      feedback: "unused",
      reason: "cancellation_requested",
    });
  });

  test("that is cancelled at its end is then charged for a change of plan, and for nothing else", async ({
    shop,
  }) => {
    const { stripe, standIn, subscribe, product, statusOf } = shop;
    const dearer = await stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 2999,
      recurring: { interval: "month" },
    });
    const [changed, plain] = [await subscribe(), await subscribe()];
    await stripe.subscriptions.update(changed.id, {
      items: [{ id: changed.items.data[0]?.id, price: dearer.id }],
    });
    for (const { id } of [changed, plain])
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const next = await stripe.invoices.createPreview({ subscription: changed.id });
    expect(next).toMatchObject({ amount_due: 1500, next_payment_attempt: next.period_end });
    const none = stripe.invoices.createPreview({ subscription: plain.id });
    await expect(none).rejects.toMatchObject({ code: "invoice_upcoming_none" });
    await standIn.control.advance(32 * DAY);
    for (const { id } of [changed, plain]) expect(await statusOf(id)).toBe("canceled");
    expect(await invoicedBy(shop.stripe, changed.id)).toEqual([1500, 1499]);
    expect(await invoicedBy(shop.stripe, plain.id)).toEqual([1499]);

    const atOnce = await subscribe();
    await stripe.subscriptions.update(atOnce.id, {
      items: [{ id: atOnce.items.data[0]?.id, price: dearer.id }],
    });
    await stripe.subscriptions.cancel(atOnce.id);
    await standIn.control.advance(32 * DAY);
    expect(await invoicedBy(shop.stripe, atOnce.id)).toEqual([1499]);
  });

  test("at another interval begins a new period with credit for the old one", async ({ shop }) => {
    const { stripe, subscribe, yearly } = shop;
    const bought = await subscribe();
    const changed = await stripe.subscriptions.update(bought.id, {
      items: [{ id: bought.items.data[0]?.id, price: yearly.id }],
    });
    expect(changed.items.data[0]?.price.id).toBe(yearly.id);
    expect(await invoicedBy(shop.stripe, bought.id)).toEqual([11_900 - 1499, 1499]);
  });
});
