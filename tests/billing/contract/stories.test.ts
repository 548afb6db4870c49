import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { DAY_MS, formatDate } from "#app/dates.ts";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { probeSubscriptions, readFeeds } from "#app/domain/billing/events/ask-providers.server.ts";
import { capabilitiesOf } from "#app/domain/billing/providers/contract/capabilities.ts";
import { chargeDates } from "#app/domain/billing/rules/charge-dates.ts";
import { formatMoney, smallestCharge } from "#app/domain/billing/rules/format-money.ts";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type ContractShop, STATEMENT } from "#tests/support/billing/contract/contract-shop.ts";
import { SHOPS } from "#tests/support/billing/contract/shops.ts";
import { CURRENCIES } from "#tests/support/billing/currencies.ts";
import { settle } from "#tests/support/billing/run-jobs.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { addFile } from "#tests/support/media-site.ts";
import { scrape, sumOf } from "#tests/support/metrics/scrape.ts";
import {
  createMember,
  letDeletionFallDue,
  signedInCookie,
  subscribe,
  type TestMember,
} from "#tests/support/people.ts";
import { fc } from "#tests/support/seed.ts";

const DAY = 86_400;
/** Every provider has sent a refused event again by then. */
const REPEATED_SECONDS = 60;
/** The longest month. */
const PERIOD_DAYS = 31;
const RETRY_DAYS = 3;
const ALL_RETRIES_DAYS = 21;
/** Renewals keep the day of the first one, which a shorter month may lack. */
const MONTHS_DIFFER_MS = 3 * DAY_MS;
const CANCELLATION = paths.accountAction("subscription");
const RECEIPTS = ["Peony: Receipt for your new subscription", "Peony: Receipt"];
const CANCELED = "Peony: Your cancellation is confirmed";
const FAILED = "Peony: A payment did not go through";
const ENDED = "Peony: Your subscription has ended";

type Buyer = TestMember & { cookie: string };

/** What every provider's buyers are promised, in pages, rows, emails and dates. Capabilities say what is possible. */
describe.each(Object.entries(SHOPS))("%s", (provider, open) => {
  const { can, canClose, canReadPage, renews } = capabilitiesOf(provider);
  /** For what only happens where somebody can be charged again. */
  const testRenewal: (name: string, story: () => Promise<void>) => void = renews ? test : () => {};
  let shop: ContractShop;
  let video: string;
  beforeAll(async () => {
    await db.update(prices).set({ active: false });
    config.billing.statement = STATEMENT;
    shop = await open();
    const facts = { access: "subscriber" } as const;
    video = (await addFile(localStorage(config.media.dir), Buffer.from("film"), facts)).path;
  });
  beforeEach(async () => {
    await db.delete(rateLimits);
    shop.control.webhooks({});
    shop.control.answerAgain();
  });
  afterAll(() => shop?.stop());

  const charges = () => {
    if (shop.charges === null) throw new Error("Nobody can be charged");
    return shop.charges;
  };
  async function newBuyer(): Promise<Buyer> {
    const member = await createMember();
    return { ...member, cookie: await signedInCookie(member.id) };
  }
  const get = ({ cookie }: Buyer, path: string) => shop.site.fetch(path, { headers: { cookie } });
  const look = async (buyer: Buyer, path: string = paths.account()) =>
    (await (await get(buyer, path)).text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
  const post = ({ cookie }: Buyer, path: string, form: Record<string, string>) => {
    const headers = { cookie, origin: shop.site.origin };
    return shop.site.fetch(path, { method: "POST", headers, body: new URLSearchParams(form) });
  };
  const maySee = async (buyer: Buyer) => (await get(buyer, video)).status === 200;

  /** Sends the form of the offer, and follows it to the provider's page. */
  async function order(buyer: Buyer, priceId = shop.priceId): Promise<string> {
    const { consentHash } = await purchaseOf(buyer, priceId);
    const form = { plan: priceId, [`consent-${priceId}`]: consentHash ?? "" };
    const to = (await post(buyer, paths.subscribe(), form)).headers.get("location") ?? "";
    return to.startsWith("/") ? ((await get(buyer, to)).headers.get("location") ?? "") : to;
  }
  async function pay(page: string, how?: "declined"): Promise<string | null> {
    const to = await shop.pay(page, how);
    await settle(shop.control);
    if (to === null) return null;
    const { pathname, search } = new URL(to);
    return pathname + search;
  }
  async function buy(): Promise<{ buyer: Buyer; id: string }> {
    const buyer = await newBuyer();
    await pay(await order(buyer));
    return { buyer, id: (await rowOf(buyer)).id };
  }
  /** By the provider's clock. */
  async function later(days: number): Promise<void> {
    await shop.control.advance(days * DAY);
    await settle(shop.control);
  }

  const rowsOf = ({ id }: Buyer) =>
    db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, id))
      .orderBy(subscriptions.created, subscriptions.id);
  async function rowOf(buyer: Buyer) {
    const [row] = await rowsOf(buyer);
    if (row === undefined) throw new Error("Nothing was bought");
    return row;
  }
  const billsOf = ({ id }: Buyer) =>
    db.select().from(invoices).where(eq(invoices.userId, id)).orderBy(invoices.createdAt, invoices.id);
  const bills = async (buyer: Buyer) => (await billsOf(buyer)).map(({ status }) => status);
  const mailsTo = ({ email }: Buyer) =>
    db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
  const subjectsTo = async (buyer: Buyer) => (await mailsTo(buyer)).map(({ subject }) => subject).toSorted();
  const newestMail = async (buyer: Buyer) => (await mailsTo(buyer)).at(-1)?.text ?? "";
  const priceOf = async (id: string) => {
    const [price] = await db.select().from(prices).where(eq(prices.id, id));
    if (price === undefined) throw new Error(`There is no price ${id}`);
    return { ...price, text: formatMoney(price.unitAmount, price.currency) };
  };

  // First, because lists of what happened are of the last day, and no story has moved the provider's clock yet.
  test("what its events did not tell is found by asking", async () => {
    const { buyer, id } = await buy();
    shop.control.webhooks({ mode: "drop" });
    shop.refund(id);
    await settle(shop.control);
    expect(await rowOf(buyer)).toMatchObject({ status: "active" });
    await readFeeds();
    await probeSubscriptions();
    await reconcileAll({ isDryRun: false });
    await settle(shop.control);
    expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
    expect(await maySee(buyer)).toBe(false);
  });

  test("a buyer gets to the payment page and back, watches, and reads when the next amount is charged", async () => {
    const buyer = await newBuyer();
    expect(await maySee(buyer)).toBe(false);
    const page = await order(buyer);
    expect(await order(buyer)).toBe(page);
    expect(await look(buyer, (await pay(page)) ?? "")).toContain("<h1>Welcome</h1>");
    expect(await maySee(buyer)).toBe(true);
    const { text: amount } = await priceOf(shop.priceId);
    const row = await rowOf(buyer);
    const endsOn = formatDate(row.currentPeriodEnd);
    expect(row).toMatchObject({
      provider,
      status: "active",
      priceId: shop.priceId,
      isPrepaid: !renews,
      cancelAtPeriodEnd: false,
    });
    expect(await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id))).toMatchObject([
      { status: "completed", subscriptionId: row.id },
    ]);
    const account = await look(buyer);
    if (renews) {
      expect(account).toContain(`Your subscription is active until ${endsOn} and then renews`);
      expect(account).toContain(`<dd>${amount} on ${endsOn}</dd>`);
      expect(account).toMatch(/Visa ending in 4242/);
    } else {
      expect(account).toContain(`Your subscription is paid until ${endsOn}. It does not renew`);
      expect(account).not.toMatch(/ending in|Cancel subscription/);
    }
    expect(await subjectsTo(buyer)).toEqual(RECEIPTS.slice(0, 1));
    expect(await newestMail(buyer)).toContain(`
Amount: ${amount}
`);
    const mail = await newestMail(buyer);
    expect([account, mail].map((text) => text.includes(`“${STATEMENT}”`))).toEqual([renews, renews]);
    expect(mail.includes(`The next charge is ${amount} on ${endsOn}`)).toBe(renews);
    if (!renews) expect(mail).toContain("does not renew");
    expect(await look(buyer, paths.subscribe())).toContain("You are subscribed");
  });

  test("a buyer who is back before the event is not told that nothing was paid", async () => {
    const buyer = await newBuyer();
    const page = await order(buyer);
    shop.control.webhooks({ mode: "hold" });
    const { pathname, search } = new URL((await shop.pay(page)) ?? "");
    const back = await get(buyer, pathname + search);
    const text = await back.text();
    expect(text).not.toMatch(/not charged|Not paid|Continue to payment/);
    expect(text).toContain(`<h1>${canReadPage ? "Welcome" : "Your payment is being confirmed"}</h1>`);
    expect(back.headers.has("refresh")).toBe(!canReadPage);
    if (!canReadPage) {
      const late = await get(buyer, `${pathname}${search}&look=10`);
      expect(late.headers.has("refresh")).toBe(false);
      expect(await late.text()).toMatch(/please do not pay again.*href="\/subscribe"[^>]*>See the plans/s);
    }
    shop.control.webhooks({});
    shop.control.flush();
    await settle(shop.control);
    expect(await look(buyer, pathname + search)).toContain("<h1>Welcome</h1>");
  });

  test("below a subscription that another provider has sold, the questions are about that one", async () => {
    const buyer = await newBuyer();
    const offered = await look(buyer, paths.subscribe());
    expect(offered.includes("You can undo the cancellation with one click")).toBe(can.keep);
    await subscribe(buyer.id);
    const page = await look(buyer, paths.subscribe());
    expect(page).toContain("Good to know");
    expect(page).toContain("You can undo the cancellation with one click");
  });

  test("a declined payment buys nothing, and the page can still be paid", async () => {
    const buyer = await newBuyer();
    const page = await order(buyer);
    const to = await pay(page, "declined");
    if (to !== null) expect(await look(buyer, to)).toContain("Choose your plan");
    expect([await rowsOf(buyer), await subjectsTo(buyer), await maySee(buyer)]).toEqual([[], [], false]);
    await pay(page);
    expect(await rowOf(buyer)).toMatchObject({ status: "active" });
  });

  test("a page whose purchase was replaced sells nothing twice", async () => {
    const buyer = await newBuyer();
    const [first, second] = [await order(buyer), await order(buyer, shop.otherPriceId)];
    await pay(first);
    if (canClose) expect(await rowsOf(buyer)).toEqual([]);
    else expect(await rowsOf(buyer)).toMatchObject([{ status: "active", priceId: shop.priceId }]);
    await pay(second);
    if (canClose) return expect(await rowOf(buyer)).toMatchObject({ priceId: shop.otherPriceId });
    if (!renews) {
      const [row, ...others] = await rowsOf(buyer);
      expect(others).toEqual([]);
      expect(await bills(buyer)).toEqual(["paid", "paid"]);
      const days = ((row?.currentPeriodEnd.getTime() ?? 0) - Date.now()) / DAY_MS;
      expect(Math.round(days)).toBe(30 + 90);
      return;
    }
    await pay(first);
    const rows = await rowsOf(buyer);
    expect(rows.map(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)).toEqual([false, true, true]);
    expect(await Promise.all(rows.map(({ id }) => shop.stateOf(id)))).toEqual([
      "renewing",
      "ending",
      "ending",
    ]);
    const twice = (await subjectsTo(buyer)).filter((subject) => subject === "Peony: You have paid twice");
    expect(twice).toHaveLength(2);
    const started = (await subjectsTo(buyer)).filter((subject) => subject === RECEIPTS[0]);
    expect(started).toHaveLength(1);
    expect(await subjectsTo(buyer)).not.toContain(CANCELED);
  });

  testRenewal("a renewal lengthens access by its period, with a receipt", async () => {
    const { buyer } = await buy();
    const before = (await rowOf(buyer)).currentPeriodEnd;
    await later(PERIOD_DAYS);
    const { currentPeriodEnd, status, priceId } = await rowOf(buyer);
    const due = chargeDates({ ...(await priceOf(priceId)), firstPeriod: null }, before).second;
    expect(Math.abs(currentPeriodEnd.getTime() - due.getTime())).toBeLessThanOrEqual(MONTHS_DIFFER_MS);
    expect([status, await bills(buyer)]).toEqual(["active", ["paid", "paid"]]);
    expect(await look(buyer)).toContain(`active until ${formatDate(currentPeriodEnd)} and then renews`);
    expect(await subjectsTo(buyer)).toEqual(RECEIPTS.toSorted());
  });

  testRenewal("a failed renewal pauses access, and the next attempt brings it back", async () => {
    const { buyer, id } = await buy();
    charges().fail(id, "once");
    await later(PERIOD_DAYS);
    expect(await rowOf(buyer)).toMatchObject({ status: "past_due" });
    expect(await maySee(buyer)).toBe(false);
    const { text: amount } = await priceOf(shop.priceId);
    const account = await look(buyer);
    expect(account).toContain("The last payment did not go through, so your access is paused until it does.");
    expect(account).toContain(`<dd>${amount}, due now</dd>`);
    expect(await subjectsTo(buyer)).toEqual([FAILED, RECEIPTS[0]]);
    expect(await newestMail(buyer)).toContain(
      `A payment of ${amount} for your subscription did not go through.`,
    );
    await later(RETRY_DAYS);
    expect(await rowOf(buyer)).toMatchObject({ status: "active" });
    expect(await maySee(buyer)).toBe(true);
    expect((await bills(buyer)).filter((status) => status === "paid")).toHaveLength(2);
    expect(await bills(buyer)).not.toContain("open");
    expect(await subjectsTo(buyer)).toEqual([FAILED, ...RECEIPTS.toSorted()]);
  });

  testRenewal("after the last failed attempt it is over", async () => {
    const { buyer, id } = await buy();
    charges().fail(id, "forGood");
    await later(PERIOD_DAYS + ALL_RETRIES_DAYS);
    expect(await rowOf(buyer)).toMatchObject({ status: "canceled", endedAt: expect.any(Date) });
    expect(await shop.stateOf(id)).toBe("over");
    expect(await bills(buyer)).not.toContain("open");
    expect(await subjectsTo(buyer)).toContain(ENDED);
    expect(await look(buyer)).toContain("Subscribe again");
  });

  testRenewal(
    "it is canceled in two clicks, kept only where that is possible, and ends on its day",
    async () => {
      const { buyer, id } = await buy();
      const endsOn = formatDate((await rowOf(buyer)).currentPeriodEnd);
      expect(await look(buyer)).toContain(`href="${CANCELLATION}"`);
      expect((await look(buyer, CANCELLATION)).includes("cannot be undone")).toBe(!can.keep);
      await Promise.all(Array.from({ length: 4 }, () => post(buyer, CANCELLATION, { intent: "cancel" })));
      await post(buyer, CANCELLATION, { intent: "cancel" });
      await settle(shop.control);
      const canceled = { status: "active", cancelAtPeriodEnd: true };
      expect(await rowOf(buyer)).toMatchObject(canceled);
      expect(await look(buyer)).toContain(`Your subscription is active until ${endsOn} and then ends.`);
      expect(await subjectsTo(buyer)).toEqual([RECEIPTS[0], CANCELED]);
      expect(await newestMail(buyer)).toContain(`It ends on ${endsOn}, and you keep your access until then.`);
      expect((await look(buyer)).includes("Keep my subscription")).toBe(can.keep);
      if (!can.keep) {
        expect(await look(buyer)).toContain("Watch something");
        const again = /You can subscribe again from \d+ \w+ \d{4}, \d\d:\d\d UTC on\./;
        expect(await look(buyer)).toMatch(again);
        expect(await look(buyer, CANCELLATION)).toMatch(again);
        expect((await newestMail(buyer)).replaceAll(/\s+/g, " ")).toMatch(again);
      }
      await post(buyer, CANCELLATION, { intent: "keep" });
      await settle(shop.control);
      expect(await shop.stateOf(id)).toBe(can.keep ? "renewing" : "ending");
      if (can.keep) await post(buyer, CANCELLATION, { intent: "cancel" });
      await later(PERIOD_DAYS + 1);
      expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
      expect([await shop.stateOf(id), await maySee(buyer)]).toEqual(["over", false]);
      expect((await subjectsTo(buyer)).filter((subject) => subject === ENDED)).toHaveLength(1);
      expect(await look(buyer, paths.subscribe())).toContain("Choose your plan");
    },
  );

  test.each(renews ? (["refund", "chargeBack"] as const) : (["refund"] as const))(
    "a %s of the current period ends it at once",
    async (how) => {
      const { buyer, id } = await buy();
      if (how === "refund") shop.refund(id);
      else charges().chargeBack(id);
      await settle(shop.control);
      const { unitAmount } = await priceOf(shop.priceId);
      const amounts = { amountRefunded: how === "refund" ? unitAmount : 0 };
      expect(await rowOf(buyer)).toMatchObject({ status: "canceled", endedAt: expect.any(Date) });
      expect(await billsOf(buyer)).toMatchObject([
        { ...amounts, amountDisputed: how === "refund" ? 0 : unitAmount },
      ]);
      expect([await shop.stateOf(id), await maySee(buyer)]).toEqual(["over", false]);
      expect(await subjectsTo(buyer)).toContain(ENDED);
    },
  );

  testRenewal("events that come twice and in reverse lead to the same", async () => {
    const { buyer, id } = await buy();
    shop.control.webhooks({ mode: "hold" });
    await shop.control.advance(PERIOD_DAYS * DAY);
    await charges().cancel(id);
    shop.refund(id);
    const heldBack = shop.control.heldBack();
    shop.control.webhooks({ repeat: 2 });
    shop.control.flush({ order: heldBack.map((_, index) => heldBack.length - 1 - index) });
    await settle(shop.control);
    expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
    const { unitAmount } = await priceOf(shop.priceId);
    expect((await billsOf(buyer)).map(({ amountRefunded }) => amountRefunded)).toEqual([0, unitAmount]);
    const subjects = await subjectsTo(buyer);
    expect(subjects).toEqual([...new Set(subjects)]);
  });

  for (const what of ["canceled", "ended"] as const) {
    testRenewal(
      `the first receipt of what was ${what} before its event came says so, and names no next charge`,
      async () => {
        const buyer = await newBuyer();
        const page = await order(buyer);
        shop.control.webhooks({ mode: "hold" });
        await shop.pay(page);
        const id = await charges().newest();
        if (what === "canceled") await charges().cancel(id);
        else await charges().end(id);
        shop.control.webhooks({});
        shop.control.flush();
        await settle(shop.control);
        const isOver = what === "ended";
        expect(await rowOf(buyer)).toMatchObject({ id, status: isOver ? "canceled" : "active" });
        const receipt = (await mailsTo(buyer)).find(({ subject }) => subject.includes("Receipt"));
        expect(receipt?.subject).toBe(isOver ? "Peony: Receipt" : RECEIPTS[0]);
        expect(receipt?.text.includes("Your subscription is already canceled")).toBe(!isOver);
        expect(receipt?.text).not.toMatch(isOver ? /The next charge is|has started/ : /The next charge is/);
      },
    );
  }

  test("a forged refund changes nothing and is counted, and the provider's own ends it", async () => {
    const { buyer, id } = await buy();
    const series = `peony_webhook_events_refused_total{provider="${provider}",why="${shop.forgedIs}"}`;
    const refusals = async () => sumOf(await scrape(shop.site), series);
    const before = await refusals();
    shop.control.webhooks({ forgedShare: 1, retryMs: 1_000 });
    shop.refund(id);
    await expect.poll(refusals).toBeGreaterThan(before);
    expect(await rowOf(buyer)).toMatchObject({ status: "active", endedAt: null });
    expect(await billsOf(buyer)).toMatchObject([{ status: "paid", amountRefunded: 0 }]);
    expect([await maySee(buyer), await subjectsTo(buyer)]).toEqual([true, RECEIPTS.slice(0, 1)]);
    shop.control.webhooks({});
    await shop.control.advance(REPEATED_SECONDS);
    await settle(shop.control);
    expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
  });

  test("a refund that is told twice is one refund", async () => {
    const { buyer, id } = await buy();
    shop.control.webhooks({ mode: "hold" });
    shop.refund(id);
    const heldBack = shop.control.heldBack();
    shop.control.webhooks({ repeat: 2 });
    shop.control.flush({ order: heldBack.map((_, index) => heldBack.length - 1 - index) });
    await settle(shop.control);
    const { unitAmount } = await priceOf(shop.priceId);
    expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
    expect(await billsOf(buyer)).toMatchObject([{ amountPaid: unitAmount, amountRefunded: unitAmount }]);
    const subjects = await subjectsTo(buyer);
    expect(subjects).toContain(ENDED);
    expect(subjects).toEqual([...new Set(subjects)]);
    expect(await maySee(buyer)).toBe(false);
  });

  describe("while the provider does not answer", () => {
    const goDown = () => shop.control.failNext({ status: 503, times: 20 });

    testRenewal("a cancellation is recorded, and sent once it answers", async () => {
      const { buyer, id } = await buy();
      goDown();
      expect((await post(buyer, CANCELLATION, { intent: "cancel" })).status).toBe(303);
      expect(await look(buyer)).toContain("Your cancellation is recorded as of");
      shop.control.answerAgain();
      expect(await shop.stateOf(id)).toBe("renewing");
      await db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now()`);
      await settle(shop.control);
      expect(await shop.stateOf(id)).toBe("ending");
      expect(await rowOf(buyer)).toMatchObject({ cancelAtPeriodEnd: true, isRequestOpen: false });
      expect(await subjectsTo(buyer)).toEqual([RECEIPTS[0], CANCELED]);
    });

    if (!renews)
      test("an account is closed, because nothing is charged any more", async () => {
        const { buyer } = await buy();
        goDown();
        expect((await post(buyer, paths.account(), { intent: "delete", confirm: "yes" })).status).toBe(303);
        await letDeletionFallDue(buyer.id);
        expect(await deleteAccount(buyer.id)).toBe("deleted");
        expect(await rowsOf(buyer)).toEqual([]);
      });

    testRenewal("no account loses its subscription without an end there", async () => {
      const { buyer, id } = await buy();
      const form = { intent: "delete", confirm: "yes" };
      expect(await look(buyer)).toContain("Your subscription ends first.");
      goDown();
      const refused = await post(buyer, paths.account(), form);
      expect([refused.status, await refused.text()]).toEqual([
        503,
        expect.stringContaining("Nothing was deleted."),
      ]);
      shop.control.answerAgain();
      expect(await shop.stateOf(id)).toBe("renewing");
      expect((await post(buyer, paths.account(), form)).status).toBe(303);
      expect(await shop.stateOf(id)).not.toBe("renewing");
      await letDeletionFallDue(buyer.id);
      goDown();
      expect(await deleteAccount(buyer.id)).toBe("deleted");
      shop.control.answerAgain();
      await settle(shop.control);
      expect(await db.$count(users, eq(users.id, buyer.id))).toBe(0);
      expect(await rowsOf(buyer)).toEqual([]);
    });
  });

  test("its page asks for what was agreed, in every currency that it takes", async () => {
    const currencies = fc.oneof(
      fc.constantFrom("usd", "jpy", "kwd", "isk", "huf"),
      fc.constantFrom(...CURRENCIES),
    );
    const sold = new Set<string>();
    // The site need not learn of a hundred prices.
    shop.control.webhooks({ mode: "drop" });
    await fc.assert(
      fc.asyncProperty(currencies, fc.integer({ min: 295, max: 9_900 }), async (currency, least) => {
        const unit = smallestCharge(currency);
        const amount = Math.ceil(least / unit) * unit;
        const renewal = { amount, interval: "day" as const, intervalCount: 30 };
        const asked = await shop.asked({ currency, first: renewal, renewal });
        if (asked === null) return;
        expect(asked).toEqual({ currency, first: amount, renewal: asked.renewal && amount });
        sold.add(currency);
      }),
      { numRuns: 60 },
    );
    expect(sold).toContain("usd");
  });
});
