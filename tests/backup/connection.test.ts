import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { backUp } from "#app/domain/backup/back-up.server.ts";
import { withConnection } from "#db/connection.ts";

const WITHIN_MS = 3_000;
const folder = await mkdtemp(join(tmpdir(), "peony-connection-"));
const source = process.env.DATABASE_URL ?? "";
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backup that takes too long ends, and leaves nothing behind", async () => {
  await withConnection(source, (sql) =>
    sql.begin(async (holder) => {
      await holder`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`;
      const waiting = backUp(source, join(folder, "late.tar"), { hasMedia: false, withinMs: WITHIN_MS });
      await expect(waiting).rejects.toHaveProperty("cause.message", expect.stringContaining("terminated"));
    }),
  );
  expect(await readdir(folder)).toEqual([]);
});
