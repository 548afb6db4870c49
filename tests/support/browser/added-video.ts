import { execFile } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { fileNames } from "#app/domain/media/renditions.ts";
import { bandwidthOf, PLAYLIST_TYPE, segmentsOf } from "#app/domain/media/video/playlist.ts";
import { withDatabase } from "./database.ts";
import { ownSite } from "./sites.ts";

const run = promisify(execFile);
const RUNGS = [
  { width: 640, height: 360, rate: 400_000 },
  { width: 320, height: 180, rate: 60_000 },
];
/** Long before the demo's, so that lists begin as without it. */
const PUBLISHED_AT = "2019-05-01T12:00:00Z";
const VIDEO_CODEC = "avc1.64001f";
const AUDIO_CODEC = "mp4a.40.2";

export interface AddedVideo {
  id: string;
  path: string;
  /** Its length. */
  seconds: number;
}

/** A video of noise, so that the network matters, in two sizes; one audio track in each, or separate `audioTracks`. */
export async function addVideo({
  seconds,
  audioTracks = [],
  captions = [],
}: {
  seconds: number;
  audioTracks?: string[];
  /** Their languages. */
  captions?: string[];
}): Promise<AddedVideo> {
  const folder = await mkdtemp(join(tmpdir(), "peony-video-"));
  try {
    const files = await makeFiles(folder, seconds, audioTracks);
    for (const language of captions) files.push(await makeCaptions(folder, language));
    return await storeVideo(folder, seconds, files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function removeVideos(videos: (AddedVideo | undefined)[]): Promise<void> {
  const ids = videos.flatMap((video) => (video ? [video.id] : []));
  await withDatabase((sql) => sql`DELETE FROM media WHERE id = ANY(${ids})`);
}

/** Gives all its files another version, as the studio and the encoding do; those before answer for a day more. */
export async function replaceFiles({ id }: AddedVideo): Promise<void> {
  await withDatabase((sql) =>
    sql.begin(async (tx) => {
      await tx`UPDATE media_files SET retired_at = now() WHERE media_id = ${id} AND retired_at IS NULL`;
      await tx`INSERT INTO media_files (media_id, version, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height,
          language, label, bandwidth, codecs)
        SELECT media_id, version + 1, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height,
          language, label, bandwidth, codecs
        FROM media_files WHERE media_id = ${id} AND retired_at = now()`;
    }),
  );
}

interface MadeFile {
  name: string;
  contentType: string;
  width?: number;
  height?: number;
  language?: string;
  label?: string;
  codecs?: string;
}

async function makeFiles(folder: string, seconds: number, audioTracks: string[]): Promise<MadeFile[]> {
  const ffmpeg = (args: string[]) => run("ffmpeg", ["-nostdin", "-v", "error", ...args], { cwd: folder });
  const tone = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:duration=${seconds}`];
  const segmented = (name: string, playlist: string, every: number) => [
    ...["-f", "hls", "-hls_time", String(every), "-hls_list_size", "0", "-hls_playlist_type", "vod"],
    ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_segment_filename", name, playlist],
  ];
  const isMuxed = audioTracks.length === 0;
  const files: MadeFile[] = [];
  for (const { width, height, rate } of RUNGS) {
    const picture = `testsrc2=size=${width}x${height}:rate=10:duration=${seconds},noise=alls=40:allf=t`;
    const [name, playlist] = [fileNames.rung(height), fileNames.rungPlaylist(height)];
    await ffmpeg([
      ...["-f", "lavfi", "-i", picture, ...(isMuxed ? tone(440) : [])],
      ..."-c:v libx264 -preset veryfast -profile:v high -level:v 3.1 -pix_fmt yuv420p".split(" "),
      ...`-b:v ${rate} -maxrate ${rate} -bufsize ${rate} -g 40 -sc_threshold 0`.split(" "),
      ...(isMuxed ? ["-c:a", "aac", "-b:a", "32k"] : []),
      ...segmented(name, playlist, 4),
    ]);
    const codecs = isMuxed ? `${VIDEO_CODEC},${AUDIO_CODEC}` : VIDEO_CODEC;
    files.push({ name, contentType: "video/mp4", width, height });
    files.push({ name: playlist, contentType: PLAYLIST_TYPE, width, height, codecs });
    const whole = fileNames.video(height);
    await ffmpeg(["-i", playlist, "-c", "copy", "-movflags", "+faststart", whole]);
    files.push({ name: whole, contentType: "video/mp4", width, height });
  }
  for (const [index, label] of audioTracks.entries()) {
    const [name, playlist] = [fileNames.rungAudio(index + 1), fileNames.rungAudioPlaylist(index + 1)];
    await ffmpeg([...tone(440 * (index + 1)), "-c:a", "aac", "-b:a", "64k", ...segmented(name, playlist, 4)]);
    files.push({ name, contentType: "video/mp4" });
    files.push({ name: playlist, contentType: PLAYLIST_TYPE, language: "en", label, codecs: AUDIO_CODEC });
  }
  return files;
}

/** One that names its language from the beginning to the end. */
async function makeCaptions(folder: string, language: string): Promise<MadeFile> {
  const name = fileNames.captions(language);
  await writeFile(join(folder, name), `WEBVTT\n\n00:00:00.000 --> 10:00:00.000\n${language}\n`);
  return { name, contentType: "text/vtt; charset=utf-8", language, label: language };
}

async function storeVideo(folder: string, seconds: number, files: MadeFile[]): Promise<AddedVideo> {
  const id = randomUUID();
  const shortId = randomBytes(4).toString("hex");
  const slug = `noise-${shortId}`;
  const keys = join(ownSite().dataDir, "media");
  await mkdir(join(keys, "media", id), { recursive: true });
  await withDatabase(async (sql) => {
    await sql`INSERT INTO media (id, type, short_id, slug, title, access, status, publish_at, duration_seconds, width, height)
      VALUES (${id}, 'video', ${shortId}, ${slug}, ${`Noise ${shortId}`}, 'subscriber', 'published', ${PUBLISHED_AT}, ${seconds}, 640, 360)`;
    await sql`INSERT INTO videos (media_id) VALUES (${id})`;
    for (const { name, contentType, width, height, language, label, codecs } of files) {
      const bytes = await readFile(join(folder, name));
      const storageKey = `media/${id}/${name}`;
      await writeFile(join(keys, storageKey), bytes);
      const bandwidth = codecs ? bandwidthOf(segmentsOf(bytes.toString())) : null;
      const hash = createHash("sha256").update(bytes).digest("hex");
      await sql`INSERT INTO media_files
        (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height, language, label, bandwidth, codecs)
        VALUES (${id}, ${name}, ${storageKey}, ${contentType}, ${bytes.length}, ${hash}, ${crc32(bytes)}, 'view', ${width ?? null},
          ${height ?? null}, ${language ?? null}, ${label ?? null}, ${bandwidth}, ${codecs ?? null})`;
    }
  });
  return { id, path: `/content/video/${slug}`, seconds };
}
