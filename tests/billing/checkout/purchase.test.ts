import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { decoded, openSubscribePage } from "#tests/support/billing/subscribe-page.ts";
import { adultCookie, subscribe } from "#tests/support/people.ts";

const { shop, withTrial, newcomer, get, post, termsOn, agreeTo, rowsOf, begin } = await openSubscribePage();

test("the stored purchase terms are the page's text, character by character, beside an unticked box", async () => {
  const person = await newcomer();
  for (const price of [shop.monthly.id, shop.yearly.id, withTrial.id]) {
    const { text, hash, isTicked } = await termsOn(person.cookie, price);
    expect([text.length > 200, isTicked]).toEqual([true, false]);
    expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
    expect((await begin(person, price)).status).toBe(303);
    const row = (await rowsOf(person)).find(({ priceId }) => priceId === price);
    expect(row).toMatchObject({ consentText: text, consentHash: hash });
  }
});

test("the offer says what is charged, when, how often, and under which name on a statement", async () => {
  const { html } = await termsOn(await adultCookie(), withTrial.id);
  const words = decoded(html.replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ");
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const first = date.format(new Date(Date.now() + 7 * 24 * 3600 * 1000));
  expect(words).toContain(`First charge $19.99 on ${first}`);
  expect(words).toContain("$9.92 a month");
  expect(words).toContain("“PEONY FILMS”");
  expect(words).toContain("How do I cancel?");
});

test("a visitor signs in first, and comes back with the plan chosen", async () => {
  const cookie = await adultCookie();
  const answer = await post("/subscribe", cookie, { plan: shop.yearly.id, next: "/content/video/x-1" });
  const back = `/subscribe?plan=${shop.yearly.id}&next=${encodeURIComponent("/content/video/x-1")}`;
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/signin?next=${encodeURIComponent(back)}`,
  ]);
  const html = await (await get(back, (await newcomer()).cookie)).text();
  expect(html).toMatch(
    new RegExp(
      `<input type="radio"[^>]*checked=""[^>]*value="${shop.yearly.id}"|value="${shop.yearly.id}"[^>]*checked=""`,
    ),
  );
  expect(html).toContain('<input type="hidden" name="next" value="/content/video/x-1"/>');
  // A refused form stays at this address, and a reload there asks for it.
  expect(html).toContain(`action="${paths.subscribe({ next: "/content/video/x-1" })}#`);
});

test("whoever leaves the payment page goes back to the offer with the page that led there", async () => {
  const person = await newcomer();
  const next = "/content/video/x-1";
  const form = { ...(await agreeTo(person.cookie, shop.monthly.id)), next };
  const answer = await post("/subscribe", person.cookie, form);
  const cameFrom = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("came-from="));
  const cookie = `${person.cookie}; ${cameFrom?.split(";")[0]}`;
  const offer = `href="${paths.subscribe({ next })}"`;
  expect(await (await get(paths.subscribeCancelled(), cookie)).text()).toContain(offer);
  expect(await (await get(paths.subscribeCancelled(), person.cookie)).text()).not.toContain(offer);
});

test("200 tampered forms are refused, and leave nothing here or at the provider", async () => {
  const person = await newcomer();
  const good = await agreeTo(person.cookie, shop.monthly.id);
  const hash = good[`consent-${shop.monthly.id}`] ?? "";
  const forms = [...mutations(shop.monthly.id, shop.yearly.id, hash)];
  expect(forms).toHaveLength(200);
  const statuses = new Set<number>();
  for (const form of forms) {
    // Otherwise the limit on a member's changes would refuse the sixty-first.
    await db.delete(rateLimits);
    statuses.add((await post("/subscribe", person.cookie, form)).status);
  }
  expect([...statuses]).toEqual([422]);
  expect(await rowsOf(person)).toEqual([]);
  expect(await db.select().from(customers).where(eq(customers.userId, person.id))).toEqual([]);
  expect((await shop.stripe.customers.list({ email: person.email })).data).toEqual([]);
}, 120_000);

/** Each form is wrong in one thing: the plan or the consent. A sum or a trial in the form has no effect. */
function* mutations(price: string, other: string, hash: string): Generator<Record<string, string>> {
  const extra: Record<string, string>[] = [
    {},
    { amount: "1" },
    { trialDays: "365" },
    { currency: "jpy" },
    { userId: "1", email: "a@b.example" },
  ];
  for (let index = 0; index < 40; index += 1) {
    const flipped = hash.slice(0, index) + (hash[index] === "0" ? "1" : "0") + hash.slice(index + 1);
    const wrong: Record<string, string>[] = [
      { plan: price, [`consent-${price}`]: flipped },
      { plan: `${price}${index}`, [`consent-${price}${index}`]: hash },
      { plan: other, [`consent-${price}`]: hash },
      { plan: other, [`consent-${other}`]: hash },
      { plan: price, consent: hash, [`consent-${other}`]: hash },
    ];
    for (const form of wrong) yield { ...form, ...extra[index % extra.length] };
  }
}

test("an unticked box is reported beside it, and the plan stays chosen", async () => {
  const { cookie } = await newcomer();
  const answer = await post("/subscribe", cookie, { plan: shop.yearly.id });
  const html = await answer.text();
  expect(answer.status).toBe(422);
  expect(html).toContain("tick the box beside them");
  expect(html.indexOf("tick the box beside them")).toBeLessThan(
    html.indexOf(`name="consent-${shop.yearly.id}"`),
  );
  expect(html.split('role="alert"')).toHaveLength(2);
  expect(html).not.toContain("Error id");
});

test("ten concurrent clicks lead to one page, and the eleventh has to wait", async () => {
  const person = await newcomer();
  const form = await agreeTo(person.cookie, shop.monthly.id);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post("/subscribe", person.cookie, form)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
  expect(await rowsOf(person)).toHaveLength(1);
  expect((await post("/subscribe", person.cookie, form)).status).toBe(429);
});

test("an unreachable provider gives an error message, and the box stays ticked", async () => {
  const person = await newcomer();
  const form = await agreeTo(person.cookie, shop.monthly.id);
  shop.control.failNext({ status: 500, times: 3, pathIncludes: "/v1/customers" });
  const answer = await post("/subscribe", person.cookie, form);
  const html = await answer.text();
  expect(answer.status).toBe(503);
  expect(html).toContain("We could not reach the payment provider. You were not charged.");
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
  expect(html).toMatch(new RegExp(`<input[^>]*name="consent-${shop.monthly.id}"[^>]*checked=""`));
  expect((await post("/subscribe", person.cookie, form)).status).toBe(303);
}, 30_000);

describe("the offer to a member with a subscription", () => {
  test.each([
    ["trialing", "You are subscribed", "Watch something"],
    ["active", "You are subscribed", "Watch something"],
    ["past_due", "Your payment did not go through", "Fix payment"],
    ["unpaid", "Your payment did not go through", "Fix payment"],
    ["incomplete", "Your payment is not complete", "Complete the payment"],
    ["paused", "Your subscription is paused", "Resume your subscription"],
  ] as const)("in state %s shows the plan instead of prices", async (status, title, action) => {
    const person = await newcomer();
    await subscribe(person.id, status);
    const { html, hash } = await termsOn(person.cookie, shop.monthly.id);
    expect(html).toContain(title);
    expect(html).toContain(action);
    expect(hash).toBe("");
    const { hash: offered } = await termsOn((await newcomer()).cookie, shop.monthly.id);
    const form = { plan: shop.monthly.id, [`consent-${shop.monthly.id}`]: offered };
    const answer = await post("/subscribe", person.cookie, form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/user/account#subscription"]);
    expect(await rowsOf(person)).toEqual([]);
  });

  test.each([
    ["incomplete_expired", "was not completed in time"],
    ["canceled", "Your subscription ended"],
  ] as const)("in state %s says so, and offers plans", async (status, sentence) => {
    const person = await newcomer();
    await subscribe(person.id, status, { periodEnd: new Date(Date.now() - 1000) });
    expect(await (await get("/subscribe", person.cookie)).text()).toContain(sentence);
    expect((await begin(person, shop.monthly.id)).status).toBe(303);
  });
});

test("the provider's page for card and invoices opens for buyers, and says so when the provider does not answer", async () => {
  const payer = await shop.createPayer();
  const opened = await post("/subscribe/portal", payer.cookie, {});
  expect([opened.status, opened.headers.get("location")]).toEqual([
    303,
    expect.stringContaining(shop.standIn.origin),
  ]);
  shop.control.failNext({ status: 500, times: 3, pathIncludes: "/v1/billing_portal" });
  const unreachable = await post("/subscribe/portal", payer.cookie, {});
  const html = await unreachable.text();
  expect([unreachable.status, html]).toEqual([
    503,
    expect.stringContaining("could not reach the payment page"),
  ]);
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
  const stranger = await post("/subscribe/portal", (await newcomer()).cookie, {});
  expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/user/account#subscription"]);
}, 30_000);
