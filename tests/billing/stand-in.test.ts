import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startStripeStandIn } from "#scripts/dev/stripe/stand-in.ts";
import { clientOf, startReceiver, startShop, submit, WEBHOOK_SECRET } from "./stand-in-site.ts";

const DAY = 86_400;

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let shop: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  receiver = await startReceiver();
  shop = await startShop({ webhook: { url: receiver.url, secret: WEBHOOK_SECRET } });
});

afterEach(async () => {
  await shop.standIn.stop();
  await receiver.stop();
});

describe("a subscription's life", () => {
  test("goes from a trial over a failed payment to its end", async () => {
    const { stripe, standIn, subscribe, statusOf } = shop;
    const bought = await subscribe("4242", {
      subscription_data: { trial_period_days: 7, metadata: { site: "peony" } },
      client_reference_id: "user-1",
    });
    expect(bought).toMatchObject({ status: "trialing", metadata: { site: "peony" } });
    expect(bought.items.data[0]?.current_period_end).toBe(bought.trial_end);
    expect(await amounts(bought.id)).toEqual([0]);

    await standIn.control.advance(4 * DAY + 60);
    await standIn.control.idle();
    expect(receiver.types()).toContain("customer.subscription.trial_will_end");
    await standIn.control.advance(3 * DAY);
    expect(await statusOf(bought.id)).toBe("active");
    expect(await amounts(bought.id)).toEqual([1499, 0]);

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

  test("ends after the last of four attempts, or stays unpaid where that was asked for", async () => {
    const { standIn, subscribe, statusOf, stripe } = shop;
    const first = await subscribe("0341");
    expect(first.status).toBe("active");
    await standIn.control.advance(31 * DAY);
    expect(await statusOf(first.id)).toBe("past_due");
    await standIn.control.advance(15 * DAY);
    expect(await statusOf(first.id)).toBe("canceled");
    const [unpaid] = (await stripe.invoices.list({ subscription: first.id })).data;
    expect(unpaid).toMatchObject({ status: "open", attempt_count: 4, next_payment_attempt: null });

    standIn.control.afterRetries("unpaid");
    const second = await subscribe("0341");
    await standIn.control.advance((31 + 15) * DAY);
    expect(await statusOf(second.id)).toBe("unpaid");
  });

  test("that nobody pays for expires after 23 hours", async () => {
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

  test("waits, paused, for a card when the trial was without one, and resumes", async () => {
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
    expect(await amounts(bought.id)).toEqual([1499, 0]);
  });

  test("at another interval begins a new period and gives credit for the old one", async () => {
    const { stripe, subscribe, yearly } = shop;
    const bought = await subscribe();
    const changed = await stripe.subscriptions.update(bought.id, {
      items: [{ id: bought.items.data[0]?.id, price: yearly.id }],
    });
    expect(changed.items.data[0]?.price.id).toBe(yearly.id);
    expect(await amounts(bought.id)).toEqual([11_900 - 1499, 1499]);
  });
});

describe("the hosted pages", () => {
  test("refuse a declined card, ask the bank, and are paid once however often the button is pressed", async () => {
    const { buy, stripe } = shop;
    const session = await buy();
    expect(await (await fetch(session.url ?? "")).text()).toContain("no money moves");
    const refused = await submit(session.url, { card: "0002" });
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining("was declined")]);
    const asked = await submit(session.url, { card: "3184" });
    expect(await asked.text()).toContain("Your bank asks");
    expect((await stripe.subscriptions.list({ status: "all" })).data).toEqual([]);

    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(session.url, { card: "3184", is_authenticated: "yes" })),
    );
    for (const answer of answers) {
      expect(answer.headers.get("location")).toBe(`http://localhost/thanks?session=${session.id}`);
    }
    expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
  });

  test("take a promotion code off the first invoice only", async () => {
    const { stripe, buy, standIn } = shop;
    const coupon = await stripe.coupons.create({ percent_off: 20, duration: "once" });
    await stripe.promotionCodes.create({
      code: "PEONY20",
      promotion: { type: "coupon", coupon: coupon.id },
    });
    expect((await stripe.promotionCodes.list({ code: "PEONY20" })).data).toHaveLength(1);
    const session = await buy({ allow_promotion_codes: true });
    expect((await submit(session.url, { intent: "promotion", promotion_code: "NONE" })).status).toBe(402);
    expect((await submit(session.url, { intent: "promotion", promotion_code: "peony20" })).status).toBe(303);
    await submit(session.url, { card: "4242" });
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
    await standIn.control.advance(31 * DAY);
    expect(await amounts(String(subscription))).toEqual([1499, 1199]);
  });

  test("let a customer change the card, cancel, take it back and pay", async () => {
    const { stripe, standIn, subscribe, customer, statusOf } = shop;
    const bought = await subscribe("0341");
    await standIn.control.advance(31 * DAY);
    expect(await statusOf(bought.id)).toBe("past_due");
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: "http://localhost/user/account",
    });
    await submit(portal.url, { intent: "card", card: "4242" });
    const [open] = (await stripe.invoices.list({ customer: customer.id, status: "open" })).data;
    expect((await submit(open?.hosted_invoice_url ?? "", { card: "4242" })).status).toBe(303);
    expect(await statusOf(bought.id)).toBe("active");
    const pdf = await (await fetch(open?.invoice_pdf ?? "")).text();
    expect(pdf).toMatch(/^%PDF-1\.4[\s\S]*%%EOF\n$/);

    await submit(portal.url, { intent: "cancel", subscription: bought.id });
    expect((await stripe.subscriptions.retrieve(bought.id)).cancel_at_period_end).toBe(true);
    await submit(portal.url, { intent: "undo", subscription: bought.id });
    expect((await stripe.subscriptions.retrieve(bought.id)).cancel_at_period_end).toBe(false);
    expect(await (await fetch(portal.url)).text()).toContain('href="http://localhost/user/account"');
  });

  test("move the clock and fail payments on request, but not for the forms of other sites", async () => {
    const { standIn, subscribe, statusOf } = shop;
    const bought = await subscribe();
    await submit(standIn.origin, { intent: `fail ${bought.id}` });
    await submit(standIn.origin, { intent: "advance 31" });
    expect(await statusOf(bought.id)).toBe("past_due");
    expect(await (await fetch(standIn.origin)).text()).toContain(bought.id);
    const foreign = await fetch(standIn.origin, {
      method: "POST",
      headers: { origin: "https://elsewhere.example" },
      body: new URLSearchParams({ intent: "advance 31" }),
    });
    expect(foreign.status).toBe(403);
  });

  test("of a purchase nobody finished close after a day", async () => {
    const { standIn, buy, stripe } = shop;
    // The site reckons with the time it is, of which the stand-in's clock is a year ahead.
    await standIn.control.advance(365 * DAY);
    await buy({ expires_at: Math.floor(Date.now() / 1000) + DAY });
    const session = await buy();
    await standIn.control.advance(DAY + 1);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("expired");
    expect((await submit(session.url, { card: "4242" })).status).toBe(410);
  });
});

describe("the API", () => {
  test("answers errors as the classes of the SDK", async () => {
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

  test("does the same request once per idempotency key", async () => {
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

  test("makes one object when the answer was lost after the effect and the SDK asks again", async () => {
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

  test("pages through lists, filters them, and expands what is asked for", async () => {
    const { stripe, monthly, product, yearly, standIn, subscribe } = shop;
    const ids: string[] = [];
    for await (const price of stripe.prices.list({ product: product.id, limit: 1 })) ids.push(price.id);
    expect(ids).toEqual([yearly.id, monthly.id]);
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

  test("refunds, disputes and forgets customers", async () => {
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

describe("events", () => {
  test("carry what was before, are signed, and come again until they are taken", async () => {
    const { stripe, standIn, customer } = shop;
    await standIn.control.idle();
    standIn.control.webhooks({ retryMs: 1 });
    receiver.failNext(2);
    await stripe.customers.update(customer.id, { name: "Ada" });
    await standIn.control.idle();
    expect(receiver.events.at(-1)).toMatchObject({
      type: "customer.updated",
      data: { object: { name: "Ada" }, previous_attributes: { name: null } },
    });
    expect(receiver.refused).toEqual([]);
  });

  test("are dropped, held, reordered and repeated on request", async () => {
    const { stripe, standIn, customer } = shop;
    const { control } = standIn;
    await control.idle();
    receiver.events.length = 0;
    const rename = (name: string) => stripe.customers.update(customer.id, { name });
    const names = () => receiver.events.map(({ data }) => Reflect.get(data.object, "name"));

    control.webhooks({ mode: "drop" });
    await rename("lost");
    control.webhooks({ mode: "hold" });
    for (const name of ["a", "b", "c"]) await rename(name);
    await control.idle();
    expect(names()).toEqual([]);
    for (const place of [2, 0, 0]) {
      control.flush({ order: [place] });
      await control.idle();
    }
    expect(names()).toEqual(["c", "a", "b"]);

    receiver.events.length = 0;
    control.webhooks({ repeat: 20, shuffle: true });
    await rename("often");
    await control.idle();
    expect(names()).toEqual(Array.from({ length: 20 }, () => "often"));
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1);
  });

  test("of kinds that nothing here brings about are sent on request", async () => {
    const { standIn, buy } = shop;
    const session = await buy();
    standIn.control.emit("checkout.session.async_payment_failed", session.id);
    await standIn.control.idle();
    expect(receiver.events.at(-1)).toMatchObject({
      type: "checkout.session.async_payment_failed",
      data: { object: { id: session.id } },
    });
  });

  test("with the signature of somebody else are recognised", async () => {
    const { stripe, standIn, customer } = shop;
    await standIn.control.idle();
    receiver.events.length = 0;
    standIn.control.webhooks({ badSignatureShare: 1, retryMs: 1 });
    await stripe.customers.update(customer.id, { name: "Eve" });
    await standIn.control.idle();
    expect(receiver.events).toEqual([]);
    expect(receiver.refused.length).toBeGreaterThan(1);
  });
});

describe("the state", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "peony-stand-in-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("is there after a restart, with its clock, its keys and what was not delivered", async () => {
    const stateFile = join(folder, "state.json");
    const webhook = { url: receiver.url, secret: WEBHOOK_SECRET };
    const first = await startShop({ stateFile, webhook, secretKey: "sk_test_kept" });
    const bought = await first.subscribe();
    await first.standIn.control.advance(10 * DAY);
    await first.standIn.control.idle();
    first.standIn.control.webhooks({ mode: "hold" });
    await first.stripe.customers.update(first.customer.id, { name: "Ada" }, { idempotencyKey: "kept" });
    const now = first.standIn.control.now();
    await first.standIn.stop();

    receiver.events.length = 0;
    const second = await startStripeStandIn({ stateFile, webhook, secretKey: "sk_test_kept" });
    const stripe = clientOf(second);
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({ status: "active" });
    expect(second.control.now()).toBeGreaterThanOrEqual(now);
    const again = await stripe.customers.update(
      first.customer.id,
      { name: "Ada" },
      { idempotencyKey: "kept" },
    );
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    await second.control.idle();
    expect(receiver.types()).toEqual(["customer.updated"]);
    await second.stop();
  });

  test("begins with the demo's offer and its subscriber", async () => {
    const standIn = await startStripeStandIn({ seed: true, site: "peony" });
    const stripe = clientOf(standIn);
    expect(await stripe.prices.retrieve("price_demo_monthly")).toMatchObject({
      unit_amount: 1499,
      metadata: { trial_period_days: "7", site: "peony" },
    });
    expect(await stripe.subscriptions.retrieve("sub_demo", { expand: ["customer"] })).toMatchObject({
      status: "active",
      metadata: { site: "peony" },
      customer: { email: "subscriber@example.com" },
    });
    expect((await stripe.promotionCodes.list({ code: "PEONY20" })).data).toHaveLength(1);
    await standIn.stop();
  });

  test("is saved by the program when it is told to end, which a real site may not start", async () => {
    const args = [
      "--import",
      "tsx",
      "scripts/dev/stripe-stand-in.ts",
      "--state-file",
      join(folder, "s.json"),
    ];
    const { APP_URL: _, ...env } = process.env;
    const program = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(program.stdout, "data");
    program.kill("SIGTERM");
    expect((await once(program, "exit"))[0]).toBe(0);
    const again = await startStripeStandIn({ stateFile: join(folder, "s.json") });
    expect((await clientOf(again).subscriptions.retrieve("sub_demo")).id).toBe("sub_demo");
    await again.stop();

    await expect(startStripeStandIn({ appUrl: "https://peony.example" })).rejects.toThrow("APP_URL");
    await expect(startStripeStandIn({ secretKey: "sk_live_x" })).rejects.toThrow("live key");
  });
});

async function amounts(subscription: string): Promise<number[]> {
  const { data } = await shop.stripe.invoices.list({ subscription });
  return data.map(({ total }) => total);
}
