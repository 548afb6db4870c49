import { get, type IncomingHttpHeaders } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { controlKeyOf } from "#demo/stand-in/control-access.ts";
import { invoicedBy, startShop, submit } from "../support/billing/stand-in-site.ts";

const DAY = 86_400;

let shop: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  shop = await startShop();
});

afterEach(() => shop.standIn.stop());

describe("the hosted pages", () => {
  test("answer to no host name that another site could own, and show the control page to no other machine", async () => {
    const { standIn } = shop;
    const ask = (path: string, headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>(
        (resolve, reject) => {
          get(new URL(path, standIn.origin), { headers }, async (answer) => {
            let text = "";
            for await (const part of answer) text += part;
            resolve({ status: answer.statusCode, headers: answer.headers, text });
          }).on("error", reject);
        },
      );
    const remote = { "x-forwarded-for": "203.0.113.9" };
    for (const path of ["/", "/v1/prices", "/nowhere"])
      expect([path, (await ask(path, { host: "evil.example" })).status]).toEqual([path, 421]);
    expect((await ask("/", {})).status).toBe(200);
    for (const path of ["/", "/?key=", "/?key=wrong"]) {
      const shut = await ask(path, remote);
      expect([path, shut.status, shut.headers["set-cookie"]]).toEqual([path, 403, undefined]);
      expect(shut.text).not.toContain("ada@example.com");
    }
    const opened = await ask(`/?key=${controlKeyOf(standIn.secretKey)}`, remote);
    expect([opened.status, opened.headers.location]).toEqual([303, "/"]);
    const cookie = opened.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
    expect((await ask("/", { ...remote, cookie })).status).toBe(200);
    const pressed = { method: "POST", body: new URLSearchParams({ intent: "advance 31" }) };
    expect((await fetch(standIn.origin, { ...pressed, headers: remote })).status).toBe(403);
    // The payment pages stay open, because the site sends its visitors there.
    const session = await shop.buy();
    expect((await ask(new URL(session.url ?? "").pathname, remote)).status).toBe(200);
  });

  test("refuse a declined card, ask the bank, and are paid once however often the button is clicked", async () => {
    const { buy, stripe } = shop;
    const session = await buy();
    expect(await (await fetch(session.url ?? "")).text()).toContain("no money moves");
    const refused = await submit(session.url, { card: "0002" });
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining("was declined")]);
    const challenge = await submit(session.url, { card: "3184" });
    expect(await challenge.text()).toContain("Your bank asks");
    expect((await stripe.subscriptions.list({ status: "all" })).data).toEqual([]);

    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(session.url, { card: "3184", is_authenticated: "yes" })),
    );
    for (const answer of answers) {
      expect(answer.headers.get("location")).toBe(`http://localhost/thanks?session=${session.id}`);
    }
    expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
  });

  test("apply a promotion code to the first invoice only", async () => {
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
    expect(await invoicedBy(shop.stripe, String(subscription))).toEqual([1499, 1199]);
  });

  test("let a customer change the card, cancel, undo that and pay", async () => {
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
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({
      cancel_at: expect.any(Number),
      cancel_at_period_end: false,
    });
    await submit(portal.url, { intent: "undo", subscription: bought.id });
    expect((await stripe.subscriptions.retrieve(bought.id)).cancel_at).toBeNull();
    expect(await (await fetch(portal.url)).text()).toContain('href="http://localhost/user/account"');
  });

  test("move the clock and fail payments on request, but not for forms of other sites", async () => {
    const { standIn, subscribe, statusOf } = shop;
    const bought = await subscribe();
    await submit(standIn.origin, { intent: `fail ${bought.id}` });
    await submit(standIn.origin, { intent: "advance 31" });
    expect(await statusOf(bought.id)).toBe("past_due");
    expect(await (await fetch(standIn.origin)).text()).toContain(bought.id);
    const crossSite = await fetch(standIn.origin, {
      method: "POST",
      headers: { origin: "https://elsewhere.example" },
      body: new URLSearchParams({ intent: "advance 31" }),
    });
    expect(crossSite.status).toBe(403);
  });

  test("close a day after their checkout was abandoned", async () => {
    const { standIn, buy, stripe } = shop;
    // The site uses the real time, and the stand-in's clock is a year ahead of it.
    await standIn.control.advance(365 * DAY);
    await buy({ expires_at: Math.floor(Date.now() / 1000) + DAY });
    const session = await buy();
    await standIn.control.advance(DAY + 1);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("expired");
    expect((await submit(session.url, { card: "4242" })).status).toBe(410);
  });
});
