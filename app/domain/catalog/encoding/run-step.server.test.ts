import { execFileSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { saveVideo, stepsOf } from "#tests/media/support/encoded.ts";
import { createVideo } from "#tests/support/media.ts";
import { queueTrailer } from "../edit/files/trailer-step.server.ts";
import { runEncodingStep } from "./run-step.server.ts";

/** A file system on which nothing is free. */
const FULL = "/proc";
const { workDir, ffmpeg } = config.media;
const never = new AbortController().signal;
afterEach(() => {
  Object.assign(config.media, { workDir, ffmpeg });
});

test.each([
  ["the disk", FULL],
  ["the disk of a folder that does not exist yet", `${FULL}/media`],
])("without room on %s a trailer waits five minutes, which costs no try", async (_, folder) => {
  await db.execute(sql`DELETE FROM media`);
  const { id } = await createVideo({ withFiles: true });
  await db.execute(sql`INSERT INTO media_trailers (media_id, from_seconds, to_seconds, version)
    VALUES (${id}, 0, 1, 0)`);
  await db.transaction((tx) => queueTrailer(tx, id));
  config.media.workDir = folder;
  expect(await runEncodingStep(1, { stopping: never, lost: never })).toMatchObject({
    ...{ media: id, step: "trailer", outcome: "givenBack" },
  });
  const [row] = await db.execute(sql`
    SELECT state, attempts::int AS attempts, to_json(last_lines) AS lines,
      round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM media_work WHERE media_id = ${id}`);
  const lines = [expect.stringContaining("is nearly full")];
  expect(row).toEqual({ state: "waiting", attempts: 0, lines, minutes: 5 });
  expect(await runEncodingStep(1, { stopping: never, lost: never })).toBe("nothing");
});

test("a quota that is exceeded while a size is made or stored costs no try", async () => {
  await db.execute(sql`DELETE FROM media`);
  const folder = await mkdtemp(join(tmpdir(), "peony-quota-"));
  const [path, fullFfmpeg] = [join(folder, "film.mp4"), join(folder, "ffmpeg")];
  const drawn = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p"];
  execFileSync("ffmpeg", ["-v", "error", ...drawn, path]);
  await writeFile(fullFfmpeg, `#!/bin/sh\necho "[hls @ 0x1] [error] Disk quota exceeded" >&2\nexit 1\n`, {
    mode: 0o700,
  });
  const id = await saveVideo(path);
  const work = () => runEncodingStep(1, { stopping: never, lost: never });
  expect(await work()).toMatchObject({ step: "source", outcome: "done" });

  const expectGivenBack = async () => {
    expect(await work()).toMatchObject({ step: "rung-90", outcome: "givenBack" });
    const lines = [expect.stringContaining("is nearly full")];
    expect((await stepsOf(id))[1]).toMatchObject({ state: "waiting", attempts: 0, lines });
    await db.execute(sql`UPDATE media_work SET due_at = now() WHERE media_id = ${id}`);
  };
  config.media.ffmpeg = fullFfmpeg;
  await expectGivenBack();
  config.media.ffmpeg = ffmpeg;
  const noQuota = Object.assign(new Error("EDQUOT: disk quota exceeded, write"), { code: "EDQUOT" });
  vi.spyOn(mediaStorage, "put").mockRejectedValue(noQuota);
  onTestFinished(() => void vi.restoreAllMocks());
  await expectGivenBack();
});
