import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { checkouts, customers, subscriptions } from "#db/schema/billing.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";

const shop = await startPaidSite({ env: { BILLING_STATEMENT: "PEONY FILMS" } });
afterAll(() => shop.stop());
const common = { product: shop.product.id, currency: "usd", recurring: { interval: "month" as const } };
const trial = { ...common, unit_amount: 1999, metadata: { trial_period_days: "7" } };
const withTrial = await shop.stripe.prices.create(trial);
await syncOffer({ isDryRun: false });
// The shop receives no events, so the site must find everything by its own calls.
shop.control.webhooks({ mode: "drop" });
beforeEach(() => db.delete(rateLimits));

async function newcomer() {
  const member = await createMember();
  return { ...member, cookie: await signedInCookie(member.id) };
}
type Person = { id: string; cookie: string };

const get = (path: string, cookie: string) => shop.site.fetch(path, { headers: { cookie } });

async function post(path: string, cookie: string, form: Record<string, string> | [string, string][]) {
  const headers = { cookie, origin: shop.site.origin };
  return shop.site.fetch(path, { method: "POST", headers, body: new URLSearchParams(form) });
}

/** The text beside a plan's box, as a person reads it, and the value that the box sends. */
async function termsOn(cookie: string, priceId: string) {
  const html = await (await get("/subscribe", cookie)).text();
  const box = new RegExp(`<input[^>]*name="consent-${priceId}"[^>]*/?>`).exec(html);
  const [, text = ""] =
    /^<span>(.*?)<\/span>/s.exec(html.slice((box?.index ?? 0) + (box?.[0].length ?? 0))) ?? [];
  const [, hash = ""] = /value="([0-9a-f]{64})"/.exec(box?.[0] ?? "") ?? [];
  return { html, hash, isTicked: /checked/.test(box?.[0] ?? ""), text: decoded(text) };
}

function decoded(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

async function agreeTo(cookie: string, priceId: string): Promise<Record<string, string>> {
  return { plan: priceId, [`consent-${priceId}`]: (await termsOn(cookie, priceId)).hash };
}

const rowsOf = ({ id }: Person) => db.select().from(checkouts).where(eq(checkouts.userId, id));

/** Starts a purchase, up to the provider's page. */
async function begin(person: Person, priceId: string, more: Record<string, string> = {}) {
  const answer = await post("/subscribe", person.cookie, {
    ...(await agreeTo(person.cookie, priceId)),
    ...more,
  });
  const [row] = await rowsOf(person);
  return {
    status: answer.status,
    url: answer.headers.get("location") ?? "",
    id: row?.id ?? "",
    cookies: answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]),
  };
}

test("the stored purchase terms are the page's text, letter by letter, beside an unticked box", async () => {
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
  expect(words).toContain("reads “PEONY FILMS”");
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
});

test("ten concurrent clicks lead to one page, and the eleventh is told to wait", async () => {
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

describe("the return page", () => {
  test("welcomes a buyer before the event arrives, and leads back to the page they came from", async () => {
    const person = await newcomer();
    const { url, id, cookies } = await begin(person, shop.monthly.id, { next: "/creators?q=a" });
    const paid = await submit(url, { card: "4242" });
    const back = new URL(paid.headers.get("location") ?? "");
    expect(back.pathname + back.search).toBe(`/subscribe/return?checkout=${id}`);
    const page = await get(back.pathname + back.search, [person.cookie, ...cookies].join("; "));
    const html = await page.text();
    expect([page.status, page.headers.get("refresh")]).toEqual([200, null]);
    expect(html).toContain("Welcome.");
    expect(html).toContain('href="/creators?q=a"');
    const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.userId, person.id));
    expect(subscription).toMatchObject({ status: "active", priceId: shop.monthly.id });
    expect(await rowsOf(person)).toMatchObject([{ status: "completed", subscriptionId: subscription?.id }]);
    expect(await (await get("/subscribe", person.cookie)).text()).toContain("You are subscribed");
  });

  test("gives no access by itself: unpaid, somebody else's, or made up", async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const { id, url } = await begin(person, shop.monthly.id);
    const unpaid = await (await get(`/subscribe/return?checkout=${id}`, person.cookie)).text();
    expect(unpaid).toContain("Not paid yet");
    expect(unpaid).toContain(`href="${url}"`);
    expect((await get(`/subscribe/return?checkout=${id}`, other.cookie)).status).toBe(404);
    for (const made of ["", "?checkout=", "?checkout=1", "?checkout=cs_test_1", "?session_id=x"]) {
      expect((await get(`/subscribe/return${made}`, person.cookie)).status).toBe(404);
    }
    expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, person.id))).toEqual([]);
  });

  test("reloads while a payment is unsettled, for three minutes at most", async () => {
    const person = await newcomer();
    const { id } = await begin(person, shop.monthly.id);
    const row = { status: "completed" as const, subscriptionId: "sub_to_come" };
    await db.update(checkouts).set(row).where(eq(checkouts.id, id));
    const look = async (number: number) => {
      const page = await get(`/subscribe/return?checkout=${id}&look=${number}`, person.cookie);
      return { refresh: page.headers.get("refresh"), html: await page.text() };
    };
    const first = await look(0);
    expect(first.refresh).toBe(`2; url=/subscribe/return?checkout=${id}&look=1`);
    expect(first.html).toContain("Your payment is on its way");
    const last = await look(10);
    expect(last.refresh).toBeNull();
    expect(last.html).toContain("longer than usual");
  });

  test("calls the provider at most every two seconds, however often somebody reloads", async () => {
    const person = await newcomer();
    const { id } = await begin(person, shop.monthly.id);
    const page = async () => (await get(`/subscribe/return?checkout=${id}`, person.cookie)).text();
    const pending = "Your payment is on its way";
    const unreachable = "We cannot ask at the moment";
    const row = { status: "completed" as const, subscriptionId: "sub_to_come" };
    await db.update(checkouts).set(row).where(eq(checkouts.id, id));
    const comparedAgo = (seconds: number) =>
      db
        .update(customers)
        .set({ reconciledAt: sql`now() - ${seconds} * interval '1 second'` })
        .where(eq(customers.userId, person.id));
    shop.control.failNext({ status: 500, times: 6, pathIncludes: "/v1/c" });
    await comparedAgo(0);
    expect(await page()).toContain(pending);
    await comparedAgo(3);
    expect(await page()).toContain(unreachable);
    for (let taken = 1; taken < LIMITS.returnsByUser.points; taken += 1) {
      expect(await takePoint("returnsByUser", person.id)).toBeNull();
    }
    expect(await page()).toContain(pending);
    await db.delete(rateLimits);
    expect(await page()).toContain(unreachable);
  }, 30_000);

  test("says so when the provider does not answer, and loses no purchase", async () => {
    const person = await newcomer();
    const { id, url } = await begin(person, shop.monthly.id);
    await submit(url, { card: "4242" });
    shop.control.failNext({ status: 500, times: 3, pathIncludes: "/v1/checkout" });
    const unreachable = await get(`/subscribe/return?checkout=${id}`, person.cookie);
    expect([unreachable.status, unreachable.headers.get("refresh")]).toEqual([
      200,
      expect.stringContaining("2; url="),
    ]);
    expect(await unreachable.text()).toContain("Nothing is lost");
    expect(await (await get(`/subscribe/return?checkout=${id}`, person.cookie)).text()).toContain("Welcome.");
  }, 30_000);

  test("tells a buyer whose card has had a trial why it ended, and offers no other trial", async () => {
    shop.control.shareCards();
    const [first, second] = [await newcomer(), await newcomer()];
    for (const person of [first, second]) {
      const { url } = await begin(person, withTrial.id);
      await submit(url, { card: "3184", is_authenticated: "yes" });
    }
    const pageOf = async (person: Person) => {
      const [row] = await rowsOf(person);
      return (await get(`/subscribe/return?checkout=${row?.id}`, person.cookie)).text();
    };
    expect(await pageOf(first)).toContain("Welcome.");
    expect(await pageOf(second)).toContain("There was a free trial before");
    expect(await pageOf(second)).toContain("nothing was charged");
    const [ended] = await db.select().from(subscriptions).where(eq(subscriptions.userId, second.id));
    expect(ended?.status).toBe("canceled");
    const { html, text } = await termsOn(second.cookie, withTrial.id);
    expect(text).toContain("charged today");
    expect(html).not.toContain("7 days free");
    const { url } = await begin(second, withTrial.id);
    await submit(url, { card: "4242" });
    const rows = await rowsOf(second);
    const last = rows.find(({ trialDays }) => trialDays === null);
    expect(await (await get(`/subscribe/return?checkout=${last?.id}`, second.cookie)).text()).toContain(
      "Welcome.",
    );
  }, 30_000);
});

test("an unreachable provider gives an error message, and the box stays ticked", async () => {
  const person = await newcomer();
  const form = await agreeTo(person.cookie, shop.monthly.id);
  shop.control.failNext({ status: 500, times: 3, pathIncludes: "/v1/customers" });
  const answer = await post("/subscribe", person.cookie, form);
  const html = await answer.text();
  expect(answer.status).toBe(503);
  expect(html).toContain("The payment provider does not answer. Nothing was charged.");
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
  expect(html).toMatch(new RegExp(`<input[^>]*name="consent-${shop.monthly.id}"[^>]*checked=""`));
  expect((await post("/subscribe", person.cookie, form)).status).toBe(303);
}, 30_000);

describe("the offer to a subscriber", () => {
  test.each([
    ["trialing", "You are subscribed", "Watch something"],
    ["active", "You are subscribed", "Watch something"],
    ["past_due", "Your payment did not go through", "Fix payment"],
    ["unpaid", "Your payment did not go through", "Fix payment"],
    ["incomplete", "Your payment is not completed", "Finish the payment"],
    ["paused", "Your subscription is paused", "Resume your subscription"],
  ] as const)("%s shows the plan instead of prices", async (status, title, action) => {
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
  ] as const)("%s says so, and sells", async (status, sentence) => {
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
  expect([unreachable.status, html]).toEqual([503, expect.stringContaining("does not answer")]);
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
  const stranger = await post("/subscribe/portal", (await newcomer()).cookie, {});
  expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/user/account#subscription"]);
}, 30_000);
