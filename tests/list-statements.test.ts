import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createCreator, createVideo } from "./support/media.ts";
import { adultCookie, createMember, signedInCookie } from "./support/people.ts";
import { type Site, startSite } from "./support/site.ts";
import { type StatementCounter, startStatementCounter } from "./support/statement-counter.ts";

const STATEMENTS_LIMIT = 3;
/** Who searches is counted besides, in a short transaction: BEGIN, the count, COMMIT. */
const LIMITER_STATEMENTS = 3;
const MEDIA = 30;

let site: Site;
let statements: StatementCounter;
let visitor: string;
let member: string;
let ann: string;

beforeAll(async () => {
  const { id, slug } = await createCreator({ name: "Ann" });
  ann = slug;
  for (let index = 0; index < MEDIA; index += 1) {
    await createVideo({
      title: `Silk ${index}`,
      creators: [id],
      tags: ["Slow light"],
      access: "subscriber",
    });
  }
  visitor = await adultCookie();
  member = await signedInCookie((await createMember()).id);
  statements = await startStatementCounter(process.env.DATABASE_URL ?? "");
  site = await startSite({ databaseUrl: statements.url });
});
afterAll(async () => {
  await site.stop();
  statements.stop();
});

async function countFor(path: string, cookie: string): Promise<number> {
  await db.delete(rateLimits);
  statements.take();
  const answer = await site.fetch(path, { headers: { cookie } });
  expect((await answer.text()).includes("<article")).toBe(true);
  return statements.take();
}

const LISTS = [
  "/content/video",
  "/content/video?sort=title",
  "/content/video?sort=most-watched&tag=slow-light",
  "/content/video?creator=ann&tag=slow-light",
  "/content/video?access=subscriber&length=medium",
  "/content/video?creator=ann&access=subscriber",
  "/content/video?q=silk",
  "/content/video?q=silk+light&access=subscriber",
  "/creators",
];

test.each(LISTS)("%s takes few statements", async (list) => {
  const path = list.replace("=ann", `=${ann}`);
  for (const cookie of [visitor, member]) {
    // Connections are greeted here, and what is shared for a minute, as the names of the filters, is read.
    for (let times = 0; times < 3; times += 1) await countFor(path, cookie);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const count = await countFor(path, cookie);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(STATEMENTS_LIMIT + (list.includes("q=") ? LIMITER_STATEMENTS : 0));
  }
});

test("what visitors see in the same second is read once", async () => {
  await countFor("/content/video?sort=oldest", visitor);
  expect(await countFor("/content/video?sort=oldest", visitor)).toBe(0);
});
