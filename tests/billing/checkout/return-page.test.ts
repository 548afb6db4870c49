import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { openSubscribePage, type Person } from "#tests/support/billing/subscribe-page.ts";

const { shop, withTrial, newcomer, get, termsOn, rowsOf, begin } = await openSubscribePage();

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
    expect(html).toContain("<h1>Welcome</h1>");
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
    expect(first.html).toContain("Your payment is being processed");
    const last = await look(10);
    expect(last.refresh).toBeNull();
    expect(last.html).toContain("longer than usual");
  });

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
    expect(await (await get(`/subscribe/return?checkout=${id}`, person.cookie)).text()).toContain(
      "<h1>Welcome</h1>",
    );
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
    expect(await pageOf(first)).toContain("<h1>Welcome</h1>");
    expect(await pageOf(second)).toContain("You have already had a free trial");
    expect(await pageOf(second)).toContain("you were not charged");
    const [ended] = await db.select().from(subscriptions).where(eq(subscriptions.userId, second.id));
    expect(ended?.status).toBe("canceled");
    const { html, text } = await termsOn(second.cookie, withTrial.id);
    expect(text).toContain("charged today");
    expect(html).not.toContain("7 days free");
    const { url } = await begin(second, withTrial.id);
    await submit(url, { card: "4242" });
    const rows = await rowsOf(second);
    const last = rows.find(({ firstPeriod }) => firstPeriod === null);
    expect(await (await get(`/subscribe/return?checkout=${last?.id}`, second.cookie)).text()).toContain(
      "<h1>Welcome</h1>",
    );
  }, 30_000);
});
