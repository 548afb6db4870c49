import { mkdir, rename } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { withoutValues } from "./log.server.ts";

test("the log has a failed statement, its error code and its place, but none of its values", async () => {
  const error = await db
    .execute(sql`SELECT ${"canary@example.com"}::uuid`)
    .then(() => null)
    .catch((failure: unknown) => failure);
  const logged = JSON.stringify(withoutValues(error));
  expect(logged).toContain("SELECT $1::uuid");
  expect(logged).toContain('"errorCode":"22P02"');
  expect(logged).toContain("log.server.test.ts");
  expect(logged).not.toContain("canary");
});

test("the log tells how a file failed, without the name that somebody gave it", async () => {
  const error = await mkdir("/nowhere/Canary/1").catch((failure: unknown) => failure);
  const moved = await rename("/nowhere/1", "/nowhere/Canary").catch((failure: unknown) => failure);
  expect(withoutValues(error)).toMatchObject({ errorCode: "ENOENT", message: "mkdir" });
  expect(JSON.stringify([error, moved, new Error("x", { cause: error })].map(withoutValues))).not.toContain(
    "Canary",
  );
  const unreachable = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:25"), { syscall: "connect" });
  expect(withoutValues(unreachable)).toMatchObject({ message: "connect ECONNREFUSED 127.0.0.1:25" });
});

test("the log keeps the message of any other error", () => {
  expect(withoutValues(new TypeError("no such thing"))).toMatchObject({
    type: "TypeError",
    message: "no such thing",
  });
  expect(withoutValues("canary")).toEqual({ type: "string" });
});
