import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { type RealSite, STARTS_WITHIN_MS, smtp, startRealSite } from "../support/canaries/real-site.ts";

let site: RealSite;
beforeAll(async () => {
  await buildWhenStale();
}, STARTS_WITHIN_MS);
afterAll(async () => {
  await site.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

test(
  "one request makes one machine-readable line",
  async () => {
    site = await startRealSite(config.database.url ?? "", {});
    const marks = ["\n", "\r\n{", "\u001b[31m", "\u0085", "\u2028", '"}\n{"level":30', "\0"];
    const before = requestLines().length;
    for (const mark of marks) {
      await site.fetch(`/nowhere${encodeURIComponent(mark)}?q=${encodeURIComponent(mark)}`);
      await site.fetch(`/content/video?q=x`, {
        headers: { "user-agent": encodeURIComponent(mark), referer: mark.replace(/[^ -~]/g, "") },
      });
    }
    await expect.poll(() => requestLines().length).toBe(before + 2 * marks.length);
    for (const line of requestLines().slice(before)) {
      expect(JSON.parse(line)).toEqual(expect.objectContaining({ msg: "request", method: "GET" }));
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
  },
  STARTS_WITHIN_MS + 30_000,
);

test("the built-in database writes no log", async () => {
  const [row] = await db.execute<{ logging_collector: string }>(sql`SHOW logging_collector`);
  expect(row?.logging_collector).toBe("off");
});

function requestLines(): string[] {
  return site
    .output()
    .split("\n")
    .filter((line) => line.includes('"msg":"request"'));
}
