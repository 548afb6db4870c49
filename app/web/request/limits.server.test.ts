import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { limitChangesWithoutPage } from "./limits.server.ts";

test("a plain page about a limit names the wait in the words of the error page", async () => {
  while ((await takePoint("writesByUser", "one")) === null);
  await db.execute(sql`UPDATE rate_limits SET expire = now() + interval '90 seconds'`);
  const request = new Request("https://peony.example/", { headers: { accept: "text/html" } });
  const page: Response = await limitChangesWithoutPage(request, "one").catch((refusal) => refusal);
  expect(page.status).toBe(429);
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(await page.text()).toContain("Please go back, wait 2 minutes, then try again.");
});
