import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, type LimitName, readTaken, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { networkOf } from "#app/web/request/client-address.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { createMember } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { runJobs } from "../support/billing/run-jobs.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const SHARED = /You may share it with others/;

/** The proxy gives visitors their own addresses. */
const site = await startSite({ env: { TRUST_PROXY: "1" } });
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

const at = (address: string) => new Jar(site, { "X-Forwarded-For": address });
let people = 0;
function ask(address: string, email?: string): Promise<Response> {
  people += 1;
  return at(address).post("/signin", { email: email ?? `person-${people}@example.com`, next: "/" });
}

async function useUp(name: LimitName, key: string, left = 0): Promise<void> {
  for (let taken = left; taken < LIMITS[name].points; taken += 1) await takePoint(name, key);
}

describe("behind one address", () => {
  test.each(["203.0.113.9", "2001:db8:1:200::9"])(
    "%s, the twelfth and the thirtieth person sign in",
    async (address) => {
      for (let person = 1; person <= 13; person += 1) {
        const jar = at(address);
        const email = `crowd-${address.length}-${person}@example.com`;
        expect([person, (await jar.post("/signin", { email, next: "/" })).status]).toEqual([person, 303]);
        const { code } = await newestMail(email);
        expect([person, (await jar.post("/signin/code", { code })).status]).toEqual([person, 303]);
      }
    },
  );

  test("sixty emails in ten minutes are sent, and the next person reads that others share the connection", async () => {
    await useUp("mailByClient", "203.0.113.10", 1);
    expect(LIMITS.mailByClient).toEqual({ points: 60, seconds: 600 });
    expect((await ask("203.0.113.10")).status).toBe(303);
    const refused = await ask("203.0.113.10");
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect([wait > 0, wait <= 600]).toEqual([true, true]);
    expect(await refused.text()).toMatch(SHARED);
    expect((await ask("203.0.113.11")).status).toBe(303);
  });

  test("too many tried codes say the same, but too many emails to one address do not", async () => {
    await useUp("verifyByClient", "203.0.113.12");
    const refused = await at("203.0.113.12").post("/signin/verify", { token: "x" });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringMatching(SHARED)]);
    await useUp("mailByAddress", "bombed@example.com");
    const own = await ask("203.0.113.13", "bombed@example.com");
    expect([own.status, await own.text()]).toEqual([429, expect.not.stringMatching(SHARED)]);
  });
});

describe("networks of IPv6", () => {
  /** Each address is in a /64 of its own. */
  const inside56 = (index: number) => `2001:db8:aa:12${(index % 256).toString(16).padStart(2, "0")}::1`;
  const inside48 = (index: number) => `2001:db8:bb:${(index * 256).toString(16)}::1`;

  test.each([
    ["a /56", inside56, "mailByNet56", "2001:db8:aa:1200::/56"],
    ["a /48", inside48, "mailByNet48", "2001:db8:bb::/48"],
  ] as const)("%s cannot take new addresses to ask for more", async (_, address, name, key) => {
    await useUp(name, key, 2);
    const statuses = [];
    for (let index = 1; index <= 4; index += 1) statuses.push((await ask(address(index))).status);
    expect(statuses).toEqual([303, 303, 429, 429]);
    expect(LIMITS[name].points).toBeGreaterThan(LIMITS.mailByClient.points);
    expect((await ask("2001:db8:cc::1")).status).toBe(303);
  });

  test("guessed codes count for these networks, too", async () => {
    await useUp("verifyByNet56", "2001:db8:aa:1200::/56");
    expect((await at(inside56(7)).post("/signin/verify", { token: "x" })).status).toBe(429);
    await useUp("verifyByNet48", "2001:db8:bb::/48");
    expect((await at(inside48(7)).post("/signin/verify", { token: "x" })).status).toBe(429);
  });

  test("an IPv4 address inside an IPv6 one counts as IPv4", async () => {
    await useUp("mailByClient", "203.0.113.14");
    expect((await ask("::ffff:203.0.113.14")).status).toBe(429);
    expect((await ask("::ffff:203.0.113.15")).status).toBe(303);
  });
});

describe("one network", () => {
  test.each([
    ["four addresses of IPv4", (index: number) => `198.51.100.${1 + (index % 4)}`, "198.51.101.1"],
    ["a /48 of IPv6", (index: number) => `2001:db8:dd:${(index % 4) + 1}::1`, "2001:db8:de::1"],
    [
      "IPv4 addresses inside IPv6 ones",
      (index: number) => `64:ff9b::c633:65${10 + (index % 4)}`,
      "198.51.102.1",
    ],
  ])(
    "%s use up a quarter of the newcomers' emails, and a newcomer elsewhere gets one",
    async (_, address, elsewhere) => {
      const quarter = LIMITS.mailByEverybody.points / 4;
      const network = networkOf(address(0)) ?? "";
      await useUp("mailByEverybody", "all", LIMITS.mailByEverybody.points - (quarter - 1));
      await useUp("mailByNetwork", network, 1);
      const isFromReserve = async (at: string, email?: string) => {
        expect((await ask(at, email)).status).toBe(303);
        const [row] = await db.execute<{ is_from_reserve: boolean }>(
          sql`SELECT is_from_reserve FROM signin_tokens ORDER BY created_at DESC LIMIT 1`,
        );
        return row?.is_from_reserve;
      };
      const asked = [];
      for (let index = 0; index < 5; index += 1) asked.push(await isFromReserve(address(index)));
      expect(asked).toEqual([false, true, true, true, true]);
      expect((await readTaken("mailByEverybody", "all"))?.points).toBe(quarter);
      expect(await isFromReserve(elsewhere, `newcomer-${people}@example.com`)).toBe(false);
    },
  );
});

describe("when strangers have used up the site's emails of an hour", () => {
  const emailsTo = async (email: string) =>
    (await db.select().from(mailOutbox).where(sql`${mailOutbox.to} = ${email} AND sent_at IS NOT NULL`))
      .length;

  test("an address with an account still gets its email, and a new one reads why none may come", async () => {
    const member = await createMember();
    await useUp("mailByEverybody", "all");
    const answers: unknown[] = [];
    for (const email of [member.email, "no-account@example.com"]) {
      const jar = at("203.0.113.20");
      const requested = await jar.post("/signin", { email, next: "/" });
      const cookies = requested.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, "="));
      const look = async () => {
        const page = await jar.visit("/signin/code");
        const masked = `${email.slice(0, 1)}…@example.com`;
        return [page.status, (await page.text()).replaceAll(masked, "").replace(/nonce="[^"]+"/g, "")];
      };
      const before = await look();
      expect(before[1]).toContain("only to addresses with an account");
      await runJobs();
      answers.push([requested.status, requested.headers.get("location"), cookies, before, await look()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect([await emailsTo(member.email), await emailsTo("no-account@example.com")]).toEqual([1, 0]);
  });

  test("the reserve is limited, too, and the other limits hold", async () => {
    const [first, second] = [await createMember(), await createMember()];
    await useUp("mailByEverybody", "all");
    await useUp("mailFromReserve", "all", 1);
    await ask("203.0.113.21", first.email);
    await runJobs();
    await ask("203.0.113.21", second.email);
    await runJobs();
    expect([await emailsTo(first.email), await emailsTo(second.email)]).toEqual([1, 0]);
    await useUp("mailByAddress", first.email);
    expect((await ask("203.0.113.22", first.email)).status).toBe(429);
    const { mailByEverybody, mailFromReserve } = LIMITS;
    expect(mailByEverybody.points + mailFromReserve.points).toBe(300);
  });

  test("strangers' requests do not use the reserve", async () => {
    await useUp("mailByEverybody", "all");
    for (let stranger = 0; stranger < 5; stranger += 1) await ask("203.0.113.23");
    await runJobs();
    const [row] = await db.execute<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM rate_limits WHERE starts_with(key, 'mailFromReserve')`,
    );
    expect(row?.count).toBe(0);
  });

  test("nobody reads that an email could not be sent, because only accounts get one", async () => {
    const member = await createMember();
    await useUp("mailByEverybody", "all");
    const jar = at("203.0.113.24");
    await jar.post("/signin", { email: member.email, next: "/" });
    await db.update(mailOutbox).set({ attempts: 1 }).where(sql`${mailOutbox.to} = ${member.email}`);
    expect(await (await jar.visit("/signin/code")).text()).not.toContain("could not send");
  });
});
