import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { db } from "#db/client.server.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { createVideo } from "#tests/support/media.ts";
import { planSteps } from "../edit/files/encoding-steps.ts";
import { insertSteps } from "../edit/files/queue-encoding.server.ts";
import { type Claim, claimStep, failStep, finishStep, runnerLock, stepsIn } from "./claims.server.ts";

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

/** The source has been read: a video of a minute unless `packets` says that it is longer. */
async function readVideo({ packets = 1_500 } = {}): Promise<string> {
  const id = await queued();
  const size = { width: 3840, height: 2160 };
  await db.transaction((tx) => insertSteps(tx, id, planSteps(size, true)));
  const video = { ...size, seconds: packets / 25, pictureTimes: { packets }, interlacing: null };
  await db.execute(sql`
    UPDATE media_encodings SET version = 1, queued_at = now() - interval '1 day',
      source = ${JSON.stringify({ video, gains: [], isOriginal: true })}::jsonb WHERE media_id = ${id}`);
  await db.execute(sql`UPDATE media_work SET state = 'done' WHERE media_id = ${id} AND step = 'source'`);
  return id;
}

async function claimOf(mediaId: string): Promise<Claim> {
  const claim = await claimStep(1);
  if (claim?.mediaId !== mediaId) throw new Error("another step was begun");
  return claim;
}

function finish(claim: Claim): Promise<boolean> {
  return finishStep(claim, { files: stepsIn(claim).map((step) => fileOf(claim.mediaId, step)) });
}

async function shown(mediaId: string, version = 1): Promise<string> {
  const rows = await db.execute<{ name: string }>(sql`
    SELECT name FROM media_files WHERE media_id = ${mediaId} AND version = ${version} AND retired_at IS NULL
    ORDER BY name`);
  return rows.map(({ name }) => name.replace(".mp4", "")).join(" ");
}

const FIRST = "rung-360 rung-480 rung-720";
const ALL = "rung-1080 rung-1440 rung-2160 rung-360 rung-480 rung-720";

test("the sizes up to 720 are made and shown in one pass, then the larger ones", async () => {
  const id = await readVideo();
  const first = await claimOf(id);
  expect(stepsIn(first)).toEqual(["rung-720", "rung-480", "rung-360"]);
  expect(await finish(first)).toBe(true);
  expect(await shown(id)).toBe(FIRST);
  const second = await claimOf(id);
  expect(stepsIn(second)).toEqual(["rung-2160", "rung-1440", "rung-1080"]);
  expect(await finish(second)).toBe(true);
  expect(await shown(id)).toBe(ALL);
  const [row] = await db.execute(sql`SELECT count(*)::int AS rows FROM media_files WHERE version = 1`);
  expect(row, "no file twice").toEqual({ rows: 6 });
});

test("a pass of more than 15 minutes is made size by size, and shown when it is done", async () => {
  const id = await readVideo({ packets: 2 * 3_600 * 25 });
  for (const [step, now] of [
    ["rung-720", ""],
    ["rung-480", ""],
    ["rung-360", FIRST],
    ["rung-2160", FIRST],
    ["rung-1440", FIRST],
    ["rung-1080", ALL],
  ]) {
    const claim = await claimOf(id);
    expect(stepsIn(claim)).toEqual([step]);
    await finish(claim);
    expect(await shown(id)).toBe(now);
  }
});

test("a pass that failed or whose worker died is tried again size by size", async () => {
  const id = await readVideo();
  await failStep(await claimOf(id), ["too little memory"], 0);
  expect(stepsIn(await claimOf(id))).toEqual(["rung-720"]);
  await die();
  const alone: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    const claim = await claimOf(id);
    alone.push(...stepsIn(claim));
    await finish(claim);
  }
  expect(alone).toEqual(["rung-720", "rung-480", "rung-360"]);
  expect(stepsIn(await claimOf(id))).toHaveLength(3);
  await die();
  expect(stepsIn(await claimOf(id))).toEqual(["rung-2160"]);
});

test("an earlier ladder stays until the new one is whole", async () => {
  const id = await readVideo();
  const earlier = fileOf(id, "rung-2160");
  await db.insert(mediaFiles).values({ ...earlier, version: 7, storageKey: "earlier" });
  await finish(await claimOf(id));
  expect([await shown(id, 7), await shown(id)]).toEqual(["rung-2160", ""]);
  await finish(await claimOf(id));
  expect([await shown(id, 7), await shown(id)]).toEqual(["", ALL]);
});

test("a size that cannot be made takes only itself", async () => {
  const id = await readVideo();
  await db.execute(sql`UPDATE media_work SET attempts = 2 WHERE media_id = ${id} AND step = 'rung-2160'`);
  const begun: string[] = [];
  for (;;) {
    const claim = await claimStep(1);
    if (claim?.mediaId !== id) break;
    begun.push(stepsIn(claim).join(" "));
    if (claim.step === "rung-2160") expect(await failStep(claim, ["too large"])).toBe(true);
    else expect(await finish(claim)).toBe(true);
  }
  expect(begun).toEqual([
    ...["rung-720 rung-480 rung-360", "rung-2160", "rung-1440 rung-1080"],
    ...["video-1080", "video-720", "video-360", "candidate", "sprite", "hover"],
  ]);
  expect(await shown(id)).toBe(
    `candidate hover rung-1080 rung-1440 ${FIRST} sprite video-1080 video-360 video-720`,
  );
});

test("a size that ends its worker three times takes only itself", async () => {
  const id = await readVideo();
  await finish(await claimOf(id));
  await db.execute(sql`UPDATE media_work SET attempts = 2 WHERE media_id = ${id} AND step = 'rung-2160'`);
  await db.execute(sql`UPDATE media_work SET state = 'done',
      made = CASE step WHEN 'rung-1080' THEN ${JSON.stringify([fileOf(id, "rung-1080")])}::jsonb ELSE '[]' END
    WHERE media_id = ${id} AND step IN ('rung-1080', 'rung-1440')`);
  expect(stepsIn(await claimOf(id))).toEqual(["rung-2160"]);
  await die();
  await claimStep(1);
  expect(await shown(id)).toContain("rung-1080");
});

function fileOf(mediaId: string, step: string): MediaFileRow {
  const name = `${step}.mp4`;
  const storageKey = `media/${mediaId}/1/${name}`;
  const stored = { name, storage: "folder", storageKey, contentType: "video/mp4", bytes: 1 } as const;
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
  const claim = { mediaId: id, fileGroup: null, run: run?.run ?? "", version: 1, attempts: 1 };
  const own = { ...claim, others: [], runner: 7 };
  expect(await finishStep({ ...own, step: "rung-90" }, { files: [] })).toBe(true);
  expect(await originals()).toHaveLength(1);
  expect(await finishStep({ ...own, step: "hover" }, { files: [] })).toBe(true);
  expect(await originals()).toHaveLength(0);
});
