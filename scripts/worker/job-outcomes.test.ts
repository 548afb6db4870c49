import { sql } from "drizzle-orm";
import type { JobHelpers } from "graphile-worker";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { logFailure } from "./job-outcomes.ts";

const run = (task: () => Promise<void>) =>
  Promise.resolve(logFailure("send-mail", task)({}, {} as JobHelpers)).then(
    () => "done",
    (error: Error) => error.message,
  );

test("a job's error about a statement contains none of its values", async () => {
  const stored = await run(async () => {
    await db.execute(sql`SELECT ${"ada@example.com"}::text::int`);
  });
  expect(stored).not.toContain("ada@example.com");
  expect(stored).toMatch(/^\w+$/);
});

test("a job's other errors keep their message, and a job that succeeds still succeeds", async () => {
  const refused = run(async () =>
    Promise.reject(new Error("The mail server did not take a mail (ETIMEDOUT)")),
  );
  expect(await refused).toBe("Error: The mail server did not take a mail (ETIMEDOUT)");
  expect(await run(async () => {})).toBe("done");
});
