import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { db } from "#db/client.server.ts";
import { tasks } from "#scripts/worker/tasks.ts";
import { createMember, letDeletionFallDue } from "#tests/support/people.ts";
import { uploadFiles } from "#tests/support/uploads.ts";

test("the files that somebody has uploaded go with the account, and nobody else's", async () => {
  const [gone, other] = [await createMember({ role: "editor" }), await createMember({ role: "editor" })];
  // Of a kind that is accepted: others are refused with their last piece.
  const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  for (const { id } of [gone, other]) await uploadFiles(id, { "a.jpg": picture });
  const folders = () => readdir(join(config.media.dir, ".uploads"));
  expect(await folders()).toHaveLength(2);
  await letDeletionFallDue(gone.id);
  expect(await deleteAccount(gone.id)).toBe("deleted");
  const jobs = await db.execute<{ payload: unknown }>(sql`
    SELECT payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'delete-uploads'`);
  for (const { payload } of jobs) await tasks["delete-uploads"](payload);
  const kept = await db.execute<{ id: string }>(sql`SELECT id FROM upload_batches`);
  expect(await folders()).toEqual(kept.map(({ id }) => id));
  expect(kept).toHaveLength(1);
});
