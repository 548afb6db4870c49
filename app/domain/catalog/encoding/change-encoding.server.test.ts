import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createVideo, HOST } from "#tests/support/media.ts";
import { changeEncoding } from "./change-encoding.server.ts";
import { findEncoding } from "./encoding-view.server.ts";

async function stopped() {
  const { id } = await createVideo();
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${id})`);
  await db.execute(sql`
    INSERT INTO media_work (media_id, step, position, state, attempts, last_lines, due_at) VALUES
      (${id}, 'source', 0, 'done', 1, '{}', now()),
      (${id}, 'rung-360', 1, 'failed', 3, '{damaged}', now() + interval '1 hour'),
      (${id}, 'hover', 2, 'cancelled', 0, '{}', now())`);
  return id;
}

const statesOf = (id: string) =>
  db.execute(sql`SELECT step, state, attempts::int AS attempts, to_json(last_lines) AS lines, due_at <= now() AS "isDue"
    FROM media_work WHERE media_id = ${id} ORDER BY position`);
const auditOf = (id: string) =>
  db.execute<{ action: string }>(sql`SELECT action FROM audit_log WHERE subject_id = ${id} ORDER BY id`);

test("a failed or canceled step is retried with three new tries, and can be canceled again", async () => {
  const id = await stopped();
  expect((await findEncoding(HOST, id))?.changes).toEqual(["retry", "again"]);
  expect(await changeEncoding(HOST, id, "cancel")).toMatch(/^No step of this video is waiting/);
  expect(await changeEncoding(HOST, id, "retry")).toBeNull();
  const waiting = { state: "waiting", attempts: 0, lines: [], isDue: true };
  const done = { step: "source", state: "done", attempts: 1, lines: [], isDue: true };
  expect(await statesOf(id)).toEqual([done, { step: "rung-360", ...waiting }, { step: "hover", ...waiting }]);
  expect(await changeEncoding(HOST, id, "retry")).toMatch(/^No step of this video has failed/);
  expect((await findEncoding(HOST, id))?.changes).toEqual(["cancel"]);

  expect(await changeEncoding(HOST, id, "cancel")).toBeNull();
  const canceled = { ...waiting, state: "cancelled" };
  expect(await statesOf(id)).toEqual([
    ...[done, { step: "rung-360", ...canceled }, { step: "hover", ...canceled }],
  ]);
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(["encoding.retried", "encoding.cancelled"]);
});

test("files are not made again while a step waits or runs, so an old page cannot end that work", async () => {
  const id = await stopped();
  await db.execute(sql`INSERT INTO media_originals (media_id, storage_key, sha256, bytes, file_name, probe)
    VALUES (${id}, 'originals/a', 'a', 1, 'a.mp4', '{"width": 640, "height": 360}')`);
  const runOf = () => db.execute(sql`SELECT run FROM media_encodings WHERE media_id = ${id}`);
  const before = await runOf();
  for (const state of ["waiting", "running"]) {
    await db.execute(
      sql`UPDATE media_work SET state = ${state}::media_work_state WHERE media_id = ${id} AND step = 'rung-360'`,
    );
    expect(await changeEncoding(HOST, id, "again")).toMatch(/^Files of this video are still being made/);
  }
  expect(await runOf()).toEqual(before);
  expect(await changeEncoding(HOST, id, "cancel")).toBeNull();
  expect(await changeEncoding(HOST, id, "again")).toBeNull();
  expect(await runOf()).not.toEqual(before);
});

test("the encoding of a taken-down item cannot be changed, nor by those who may not edit", async () => {
  const id = await stopped();
  expect(await changeEncoding({ id: randomUUID(), name: "somebody", role: "member" }, id, "retry")).toBe(
    "Your role does not allow this.",
  );
  await db.execute(sql`UPDATE media SET status = 'takenDown' WHERE id = ${id}`);
  expect(await changeEncoding(HOST, id, "retry")).toBe("This item is taken down. Bring it back first.");
  expect((await findEncoding(HOST, id))?.changes).toEqual([]);
});
