import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { adultCookie } from "#tests/support/people.ts";
import { REAL_DATABASE_LIMIT, type Site, startSite } from "#tests/support/site.ts";

let site: Site;
let headers: { cookie: string };
beforeAll(async () => {
  await createVideo({ title: "Silk" });
  headers = { cookie: await adultCookie() };
  // Every search calls this function, which now takes a minute.
  await db.execute(sql`CREATE OR REPLACE FUNCTION f_unaccent(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN PERFORM pg_sleep(60); RETURN $1; END $$`);
  site = await startSite({ env: REAL_DATABASE_LIMIT });
});
afterAll(() => site.stop());

test("a search that takes too long is canceled with a message, and the lists keep working", async () => {
  const searches = Array.from({ length: 6 }, (_, index) =>
    site.fetch(`/content/video?q=silk-${index}`, { headers }),
  );
  const list = await site.fetch("/content/video", { headers });
  expect(list.status).toBe(200);
  expect(await list.text()).toContain("Silk");
  const [first, ...others] = await Promise.all(searches);
  expect(first?.status).toBe(503);
  expect(first?.headers.get("retry-after")).toBe("5");
  expect(await first?.text()).toContain("This search took too long");
  for (const other of others) expect(other.status).toBe(503);
  expect((await site.fetch("/content/video?sort=title", { headers })).status).toBe(200);
});
