import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { planSteps } from "../edit/files/encoding-steps.ts";
import { insertSteps } from "../edit/files/queue-encoding.server.ts";
import { claimStep, failStep, finishStep, runnerLock } from "./claims.server.ts";

const locks = new pg.Client({ connectionString: config.database.url });
await locks.connect();
afterAll(() => locks.end());
for (const runner of [1, 2]) await locks.query(runnerLock(runner));
beforeEach(() => db.execute(sql`TRUNCATE media CASCADE`));
/** Nobody holds its lock, as after the death of its worker. */
const DEAD = 99;

/** With one step, which is due. */
async function queued(): Promise<string> {
  const { id } = await createVideo();
  await db.execute(sql`INSERT INTO media_encodings (media_id, queued_at) VALUES (${id}, clock_timestamp())`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position) VALUES (${id}, 'source', 0)`);
  return id;
}

async function die(): Promise<void> {
  await db.execute(sql`UPDATE media_work SET claimed_by = ${DEAD} WHERE state = 'running'`);
}

test("a step that ran when its worker died then runs alone, so that only the guilty one fails permanently", async () => {
  const [deadly, other] = [await queued(), await queued()];
  await queued();
  expect(await claimStep(1)).toMatchObject({ mediaId: deadly });
  expect(await claimStep(2)).toMatchObject({ mediaId: other });
  for (let attempts = 2; attempts <= 3; attempts += 1) {
    await die();
    const begun = (await Promise.all([claimStep(1), claimStep(2)])).filter((claim) => claim !== null);
    expect(begun).toMatchObject([{ mediaId: deadly, attempts }]);
  }
  await die();
  expect(await claimStep(1)).toMatchObject({ mediaId: other, attempts: 2 });
  expect(await claimStep(2)).toBeNull();
  expect(await db.execute(sql`SELECT state FROM media_work WHERE media_id = ${deadly}`)).toEqual([
    { state: "failed" },
  ]);
});

test("a size that cannot be made fails only the ladder", async () => {
  const id = await queued();
  await db.transaction((tx) => insertSteps(tx, id, planSteps({ width: 3840, height: 2160 }, true)));
  await db.execute(
    sql`UPDATE media_encodings SET version = 1, queued_at = now() - interval '1 day' WHERE media_id = ${id}`,
  );
  await db.execute(sql`UPDATE media_work SET state = 'done' WHERE media_id = ${id} AND step = 'source'`);
  await db.execute(sql`UPDATE media_work SET attempts = 2 WHERE media_id = ${id} AND step = 'rung-2160'`);
  const begun: string[] = [];
  for (;;) {
    const claim = await claimStep(1);
    if (claim?.mediaId !== id) break;
    begun.push(claim.step);
    if (claim.step === "rung-2160") expect(await failStep(claim, ["too large"])).toBe(true);
    else expect(await finishStep(claim, { files: [fileOf(id, claim.step)] })).toBe(true);
  }
  expect(begun).toEqual([
    ...["rung-2160", "rung-1440", "rung-1080", "rung-720", "rung-480", "rung-360"],
    ...["video-1080", "video-720", "video-360", "candidate", "sprite", "hover"],
  ]);
  const shown = await db.execute<{ name: string }>(sql`
    SELECT name FROM media_files WHERE media_id = ${id} AND version = 1 AND retired_at IS NULL ORDER BY name`);
  expect(shown.map(({ name }) => name)).toEqual(
    ["candidate", "hover", "sprite", "video-1080", "video-360", "video-720"].map((step) => `${step}.mp4`),
  );
});

function fileOf(mediaId: string, step: string): MediaFileRow {
  const name = `${step}.mp4`;
  const stored = { name, storageKey: `media/${mediaId}/1/${name}`, contentType: "video/mp4", bytes: 1 };
  return { ...stored, mediaId, version: 1, sha256: "aa", crc32: 1, needs: "view" };
}

test("an original that is not kept is deleted after the last step, whatever became of the trailer", async () => {
  const { id } = await createVideo();
  const [run] = await db.execute<{ run: string }>(
    sql`INSERT INTO media_encodings (media_id, drops_original, version) VALUES (${id}, true, 1) RETURNING run`,
  );
  await db.execute(sql`INSERT INTO media_originals (storage_key, media_id, sha256, bytes, file_name, probe)
    VALUES (${`originals/${id}/1`}, ${id}, 'aa', 1, 'x.mp4', '{"kind": "video"}')`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position, state, claimed_by, started_at)
    VALUES (${id}, 'rung-90', 1, 'running', 7, now()), (${id}, 'hover', 2, 'running', 7, now()),
      (${id}, 'trailer', 1000, 'failed', NULL, NULL)`);
  const originals = () => db.execute(sql`SELECT FROM media_originals WHERE media_id = ${id}`);
  const claim = { mediaId: id, fileGroup: null, run: run?.run ?? "", version: 1, attempts: 1, runner: 7 };
  expect(await finishStep({ ...claim, step: "rung-90" }, { files: [] })).toBe(true);
  expect(await originals()).toHaveLength(1);
  expect(await finishStep({ ...claim, step: "hover" }, { files: [] })).toBe(true);
  expect(await originals()).toHaveLength(0);
});
