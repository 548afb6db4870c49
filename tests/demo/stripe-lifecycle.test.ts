import { describe, expect } from "vitest";
import { invoicedBy, testShop as test } from "../support/billing/stand-in-site.ts";

const DAY = 86_400;

describe("a subscription's life", () => {
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
});
