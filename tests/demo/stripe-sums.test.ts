import { describe, expect } from "vitest";
import { submit, testShop as test } from "../support/billing/stand-in-site.ts";

const DAY = 86_400;
const taxed = { automatic_tax: { enabled: true } };

describe("tax", () => {
  test("is added to the amount after the promotion code, on every invoice", async ({ shop }) => {
    const { stripe, standIn, buy, subscribe } = shop;
    const page = async (url: string | null) => (await fetch(url ?? "")).text();
    const shown = await page((await buy(taxed)).url);
    expect(shown).toContain('<th scope="row">Tax</th><td>$1.50</td>');
    expect(shown).toContain("Pay $16.49");

    const coupon = await stripe.coupons.create({ percent_off: 20, duration: "once" });
    const { id } = await subscribe("4242", { ...taxed, discounts: [{ coupon: coupon.id }] });
    const [first] = (await stripe.invoices.list({ subscription: id })).data;
    // 14.99 less 3.00, plus a tenth of the difference.
    expect(first).toMatchObject({
      subtotal: 1499,
      subtotal_excluding_tax: 1499,
      total_excluding_tax: 1199,
      total_taxes: [{ amount: 120, tax_behavior: "exclusive", taxable_amount: 1199 }],
      total: 1319,
      amount_paid: 1319,
    });
    expect(await page(first?.hosted_invoice_url ?? "")).toContain("<td>$1.20</td>");
    expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({ amount_due: 1649 });
    await standIn.control.advance(32 * DAY);
    const [second] = (await stripe.invoices.list({ subscription: id })).data;
    expect(second).toMatchObject({ subtotal: 1499, total: 1649, amount_paid: 1649 });
    const [charge] = (await stripe.charges.list({ customer: shop.customer.id })).data;
    expect(charge?.amount).toBe(1649);
  });

  test("is included in a price that says so, and absent without the switch", async ({ shop }) => {
    const { stripe, product, buy } = shop;
    const common = { product: product.id, currency: "usd", recurring: { interval: "month" as const } };
    const whole = await stripe.prices.create({ ...common, unit_amount: 1100, tax_behavior: "inclusive" });
    const session = await buy({ ...taxed, line_items: [{ price: whole.id, quantity: 1 }] });
    expect(session).toMatchObject({ amount_total: 1100, total_details: { amount_tax: 100 } });
    await submit(session.url, { card: "4242" });
    const [invoice] = (await stripe.invoices.list({ customer: shop.customer.id })).data;
    expect(invoice).toMatchObject({ subtotal: 1100, total: 1100, total_excluding_tax: 1000 });
    expect(await buy()).toMatchObject({ amount_total: 1499, total_details: { amount_tax: 0 } });
  });
});

describe("credit", () => {
  test("is used before the card, as far as it goes, and the rest is kept for the next charge", async ({
    receiver,
    shop,
  }) => {
    const { stripe, standIn, customer, subscribe } = shop;
    const { id } = await subscribe();
    await stripe.customers.update(customer.id, { balance: -2000 });
    expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({ amount_due: 0 });
    await standIn.control.advance(32 * DAY);
    const [second] = (await stripe.invoices.list({ subscription: id })).data;
    expect(second).toMatchObject({
      total: 1499,
      starting_balance: -2000,
      ending_balance: -501,
      amount_due: 0,
    });
    expect(second).toMatchObject({ status: "paid", amount_paid: 0 });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -501 });
    await standIn.control.idle();
    expect(receiver.types().filter((type) => type === "customer.updated")).toHaveLength(2);

    await standIn.control.advance(31 * DAY);
    const [third] = (await stripe.invoices.list({ subscription: id })).data;
    expect(third).toMatchObject({ starting_balance: -501, ending_balance: 0, amount_due: 998 });
    expect(third).toMatchObject({ amount_paid: 998, amount_remaining: 0 });
    const charges = (await stripe.charges.list({ customer: customer.id })).data;
    expect(charges.map(({ amount }) => amount)).toEqual([998, 1499]);
  });
});
