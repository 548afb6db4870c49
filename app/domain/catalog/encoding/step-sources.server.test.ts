import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { finishStep } from "./claims.server.ts";
import { storedSource } from "./step-sources.server.ts";

test.each([
  ["its sound", 1, { sounds: [{ index: 1, language: "und", label: "Sound" }], gains: [-3.5] }],
  ["no sound", null, { sounds: [], gains: [] }],
])("a source that was read before the upgrade goes on with %s", async (_, sound, { sounds, gains }) => {
  const { id } = await createVideo();
  const former = { video: { width: 640, height: 360, sound }, gain: -3.5, isOriginal: true };
  await db.execute(sql`INSERT INTO media_encodings (media_id, source)
    VALUES (${id}, ${JSON.stringify(former)}::jsonb)`);
  expect(await storedSource(id)).toEqual({
    ...{ video: { width: 640, height: 360, sound, sounds }, gains, isOriginal: true },
  });
});

test("an original that is not kept goes with the last step, whatever became of the trailer", async () => {
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
