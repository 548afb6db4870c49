import { execFileSync } from "node:child_process";
import { sql } from "drizzle-orm";
import pg from "pg";
import { config } from "#app/config.server.ts";
import { runnerLock } from "#app/domain/catalog/encoding/claims.server.ts";
import { runEncodingStep } from "#app/domain/catalog/encoding/run-step.server.ts";
import { saveImported } from "#app/domain/catalog/import/save-imported.server.ts";
import { hashFile } from "#app/domain/media/import/content-id.server.ts";
import { prepareVideo } from "#app/domain/media/import/prepare-video.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { HOST } from "#tests/support/media.ts";

const FACTS = {
  title: "A film",
  description: "",
  creators: [],
  tags: [],
  producedOn: null,
  publishAt: null,
  expireAt: null,
  access: "free",
  allowDownload: true,
  shoot: null,
  chapters: [],
} as const;

/** Saves a video as the import does, and publishes it. Resolves with its id. */
export async function saveVideo(path: string): Promise<string> {
  const hash = await hashFile(path);
  const found = { kind: "video" as const, path, label: "film", sidecar: {} };
  const prepared = await prepareVideo(found, hash, {
    signal: new AbortController().signal,
    onProgress: () => {},
    onWarning: () => {},
  });
  const facts = { ...FACTS, creators: [], tags: [], chapters: [] };
  await saveImported(prepared, { facts, photoFacts: {}, photoIds: [] }, { isPublishing: true, actor: HOST });
  return prepared.mediaId;
}

/** Works until nothing is due, as one runner of a worker does. Resolves with the outcomes in their order. */
export async function workOff(runner = 1): Promise<string[]> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(runnerLock(runner));
  const never = new AbortController().signal;
  const outcomes: string[] = [];
  try {
    for (;;) {
      const ended = await runEncodingStep(runner, { stopping: never, lost: never, retrySeconds: 0 });
      if (ended === "nothing") return outcomes;
      outcomes.push(...ended.step.split(" ").map((step) => `${step} ${ended.outcome}`));
    }
  } finally {
    await client.end();
  }
}

interface StepRow extends Record<string, unknown> {
  step: string;
  state: string;
  attempts: number;
  lines: string[];
}

/** The steps of an item in their order. */
export async function stepsOf(mediaId: string): Promise<StepRow[]> {
  return db.execute<StepRow>(sql`
    SELECT step, state, attempts::int AS attempts, to_json(last_lines) AS lines
    FROM media_work WHERE media_id = ${mediaId} ORDER BY position`);
}

export interface FileRow extends Record<string, unknown> {
  name: string;
  version: number;
  needs: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  bandwidth: number | null;
  codecs: string | null;
  /** A copy with an object store. */
  path: string;
}

/** The current files of an item by their names. */
export async function filesOf(mediaId: string): Promise<Map<string, FileRow>> {
  const rows = await db.execute<FileRow & { storageKey: string }>(sql`
    SELECT name, version, needs, bytes::float8 AS bytes, sha256, width, height, bandwidth::float8 AS bandwidth, codecs,
      storage_key AS "storageKey"
    FROM media_files WHERE media_id = ${mediaId} AND retired_at IS NULL ORDER BY name`);
  const files = new Map<string, FileRow>();
  for (const row of rows)
    files.set(row.name, { ...row, path: (await mediaStorage.fileOf(row.storageKey, config.dataDir)) ?? "" });
  return files;
}

export function probe(path: string) {
  const entries = "stream=codec_name,profile,width,height,pix_fmt,sample_rate,channels:format=duration";
  const output = execFileSync("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "json", path]);
  return JSON.parse(output.toString()) as {
    streams: Record<string, string | number>[];
    format: { duration: string };
  };
}

/** Seconds of the key frames, from the first. */
export function keyFrames(path: string): number[] {
  const flags = [
    "-v",
    "error",
    "-select_streams",
    "v",
    "-show_entries",
    "packet=pts_time,flags",
    "-of",
    "csv=p=0",
  ];
  const lines = execFileSync("ffprobe", [...flags, path])
    .toString()
    .split("\n");
  const times = lines.filter((line) => line.includes(",K")).map((line) => Number.parseFloat(line));
  return times.map((time) => Math.round((time - (times[0] ?? 0)) * 1000) / 1000);
}

/** LUFS, of the whole file. */
export function loudnessOf(path: string): number {
  const command =
    'ffmpeg -nostdin -hide_banner -nostats -vn -i "$1" -af ebur128=framelog=verbose -f null - 2>&1';
  const report = execFileSync("sh", ["-c", command, "sh", path], { encoding: "utf8" });
  return Number(
    report
      .match(/I:\s+(-?[\d.]+) LUFS/g)
      ?.at(-1)
      ?.match(/-?[\d.]+/)?.[0],
  );
}

/** The moments that tests look for are before it. */
const SEARCHED_SECONDS = 6;

/** Seconds on the file's clock of the first bright picture. */
export function flashAt(path: string): number {
  return firstTime(
    path,
    ["-an", "-vf"],
    // The whole picture is white, which a small one shows as well.
    "scale=32:18,signalstats,metadata=print:key=lavfi.signalstats.YAVG",
    (level) => level > 200,
  );
}

/** Seconds on the file's clock of the first loud moment. */
export function beepAt(path: string): number {
  const measured =
    "asetnsamples=240,astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level," +
    "ametadata=print:key=lavfi.astats.Overall.RMS_level";
  return firstTime(path, ["-vn", "-af"], measured, (level) => level > -35);
}

function firstTime(
  path: string,
  kind: [string, string],
  filters: string,
  isWanted: (level: number) => boolean,
): number {
  const command = `ffmpeg -nostdin -hide_banner -nostats -copyts -t ${SEARCHED_SECONDS} -i "$1" "$2" "$3" "$4" -f null - 2>&1`;
  const report = execFileSync("sh", ["-c", command, "sh", path, ...kind, filters], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  let time = Number.NaN;
  for (const line of report.split("\n")) {
    time = Number(/pts_time:(-?[\d.]+)/.exec(line)?.[1] ?? time);
    const [, level] = /(?:YAVG|RMS_level)=(-?[\d.]+)/.exec(line) ?? [];
    if (level !== undefined && isWanted(Number(level))) return time;
  }
  throw new Error(`nothing is seen or heard in ${path}`);
}
