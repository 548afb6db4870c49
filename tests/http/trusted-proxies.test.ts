import { beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { adultCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const WARNING = "set TRUST_PROXY, or limits count all visitors as one";
const cookie = await adultCookie();
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** The statuses of one search per address, which a proxy reports as different visitors. */
async function searchAs(site: Site, addresses: string[]): Promise<number[]> {
  const path = paths.list("video", { q: "silk" });
  const ask = (address: string) => site.fetch(path, { headers: { cookie, "x-forwarded-for": address } });
  const answers: Response[] = [];
  for (const address of addresses) answers.push(await ask(address));
  return answers.map(({ status }) => status);
}

const VISITORS = Array.from({ length: 11 }, (_, index) => `203.0.113.${index + 1}`);

test.each([
  ["127.0.0.0/8, 10.0.0.1", Array(11).fill(200)],
  ["10.0.0.0/8", [...Array(10).fill(200), 429]],
])(
  "with TRUST_PROXY=%s this machine's forwarding headers are trusted or not",
  async (TRUST_PROXY, expected) => {
    const site = await startSite({ env: { TRUST_PROXY } });
    try {
      expect(await searchAs(site, VISITORS)).toEqual(expected);
    } finally {
      await site.stop();
    }
  },
);

test("a hosted site that trusts no proxy warns once when it seems to have one, without naming a visitor", async () => {
  const hosted = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1" };
  const site = await startSite({ env: { ...hosted, TRUST_PROXY: "0", LOG_LEVEL: "warn" } });
  try {
    expect(site.output()).not.toContain(WARNING);
    for (const address of VISITORS) {
      await site.fetch("/healthz", { headers: { "x-forwarded-for": address } });
    }
    await expect.poll(() => site.output()).toContain(WARNING);
    expect(site.output().split(WARNING)).toHaveLength(2);
    expect(site.output()).not.toContain("203.0.113");
  } finally {
    await site.stop();
  }
});
