import { eq, like } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";

const PEOPLE = 4;
const CLICKS = 50;
const { points: MAX_CHECKOUTS } = LIMITS.paymentsByUser;
/** With this setting, Node logs the id of the process that takes a connection. */
const SAY_WHO_ANSWERS = { NODE_DEBUG: "http" };

const shop = await startPaidSite({ processes: 2, env: SAY_WHO_ANSWERS });
afterAll(() => shop.stop());

async function newcomer() {
  const member = await createMember();
  const cookie = await signedInCookie(member.id);
  const html = await (await shop.site.fetch("/subscribe", { headers: { cookie } })).text();
  const box = new RegExp(`<input[^>]*name="consent-${shop.monthly.id}"[^>]*>`).exec(html)?.[0] ?? "";
  const hash = /value="([0-9a-f]{64})"/.exec(box)?.[1] ?? "";
  return { ...member, cookie, form: { plan: shop.monthly.id, [`consent-${shop.monthly.id}`]: hash } };
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>;

/** Posts the form many times at once, each on its own connection. */
async function click({ cookie, form }: Newcomer) {
  const answers = await Promise.all(
    Array.from({ length: CLICKS }, () =>
      shop.site.fetch("/subscribe", {
        method: "POST",
        headers: { cookie, origin: shop.site.origin },
        body: new URLSearchParams(form),
      }),
    ),
  );
  const pages = new Set<string>();
  const statuses: Record<number, number> = {};
  for (const { status, headers } of answers) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 303) pages.add(headers.get("location") ?? "");
  }
  return { statuses, pages: [...pages] };
}

/** The site and the provider have exactly one of each for this page. */
async function expectOneOfEach({ id, email }: Newcomer, pages: string[]) {
  expect(pages).toEqual([expect.stringMatching(/^http.+\/pay\//)]);
  const rows = await db.select().from(checkouts).where(eq(checkouts.userId, id));
  expect(rows).toMatchObject([{ status: "open", url: pages[0] }]);
  const known = await db.select().from(customers).where(eq(customers.userId, id));
  const { data: there } = await shop.stripe.customers.list({ email, limit: 100 });
  expect(there.map((customer) => customer.id)).toEqual(
    known.map(({ providerCustomerId }) => providerCustomerId),
  );
  const { data: sessions } = await shop.stripe.checkout.sessions.list({
    customer: there[0]?.id ?? "",
    limit: 100,
  });
  expect(sessions.map(({ status, url }) => ({ status, url }))).toEqual([{ status: "open", url: pages[0] }]);
}

function processesThatAnswered(): string[] {
  const said = shop.site.output().matchAll(/^HTTP (\d+): SERVER new http connection/gm);
  return [...new Set([...said].map(([, pid]) => pid ?? ""))];
}

test(`${CLICKS} concurrent forms of each of ${PEOPLE} people, sent to two web processes, make one of each`, async () => {
  for (let count = 0; count < PEOPLE; count += 1) {
    const person = await newcomer();
    await letThrough(person, CLICKS);
    const { statuses, pages } = await click(person);
    expect(statuses).toEqual({ 303: CLICKS });
    await expectOneOfEach(person, pages);
  }
  expect(processesThatAnswered()).toHaveLength(2);
}, 120_000);

/** The limit would hide how these requests affect each other. */
async function letThrough({ id }: Newcomer, clicks: number): Promise<void> {
  const counted = like(rateLimits.key, "paymentsByUser:%");
  await db.delete(rateLimits).where(counted);
  await takePoint("paymentsByUser", id);
  await db
    .update(rateLimits)
    .set({ points: MAX_CHECKOUTS - clicks })
    .where(counted);
}
