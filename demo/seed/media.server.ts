import { DAY_MS } from "#app/dates.ts";
import { shortIdOf } from "#app/domain/catalog/media/short-id.ts";
import { mediaSlug } from "#app/domain/catalog/media/slug.server.ts";
import { type MediaFileRow, storeCaptions } from "#app/domain/media/store-file.server.ts";
import type { MediaType } from "#app/paths.ts";
import type { media, photos, videos } from "#db/schema/catalog.ts";
import type { mediaTrailers } from "#db/schema/encoding.ts";
import {
  demoId,
  storeDemoCover,
  storeDemoDownload,
  storeDemoPhoto,
  storeDemoSizes,
  storeDemoTrailer,
} from "./files.server.ts";
import { DEMO_SIZES, type DemoPhotoSet, type DemoVideo, trailerRange } from "./read-catalogue.server.ts";

type MediaRow = typeof media.$inferInsert;

/** All rows to insert for one video or set whose files are stored. */
export interface MediaRows {
  entry: DemoVideo | DemoPhotoSet;
  media: MediaRow & { id: string };
  video: typeof videos.$inferInsert | null;
  trailer: typeof mediaTrailers.$inferInsert | null;
  photos: (typeof photos.$inferInsert)[];
  files: MediaFileRow[];
}

const TAKEDOWN_REASON = "Replaced by a newer version at the creator's wish.";
const DAYS_TO_EDIT = 23;
const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" };

export async function storeDemoVideo(entry: DemoVideo, now: Date): Promise<MediaRows> {
  const mediaId = demoId("media", entry.key);
  const cover = await storeDemoCover(filesOf(entry), mediaId, "video");
  const { width, height } = DEMO_SIZES[entry.sizes[0]];
  const sizes = await storeDemoSizes(filesOf(entry), { sizes: entry.sizes, mediaId });
  const trailer = entry.hasTrailer ? await storeDemoTrailer(filesOf(entry), mediaId) : [];
  const captions: MediaFileRow[] = [];
  for (const [language, cues] of Object.entries(entry.captions)) {
    const label = LANGUAGES[language as keyof typeof LANGUAGES];
    captions.push(await storeCaptions(webVtt(cues), { mediaId, language, label }));
  }
  const markers = entry.markers.map(([atSeconds, title]) => ({ atSeconds, title }));
  return {
    entry,
    media: {
      ...commonColumns(entry, "video", now),
      ...{ width, height },
      durationSeconds: entry.seconds,
      color: cover.color,
    },
    video: { mediaId, markers, hasAudio: true },
    trailer: entry.hasTrailer ? trailerOf(entry, mediaId) : null,
    photos: [],
    files: [...cover.files, ...sizes, ...trailer, ...captions],
  };
}

export async function storeDemoPhotoSet(entry: DemoPhotoSet, now: Date): Promise<MediaRows> {
  const mediaId = demoId("media", entry.key);
  const cover = await storeDemoCover(filesOf(entry), mediaId, "photoSet");
  const files = [...cover.files];
  const rows: MediaRows["photos"] = [];
  for (let position = 1; position <= entry.photos; position++) {
    const isPreview = position <= entry.previews;
    const needs = isPreview ? "preview" : "view";
    const {
      files: sizes,
      width,
      height,
      color,
    } = await storeDemoPhoto(filesOf(entry), { mediaId, number: position, needs });
    files.push(...sizes);
    if (entry.download) {
      files.push(await storeDemoDownload(filesOf(entry), { mediaId, number: position, width, height }));
    }
    const alt = `${entry.alt}, ${position} of ${entry.photos}`;
    rows.push({
      id: demoId("photo", `${entry.key} ${position}`),
      mediaId,
      number: position,
      position,
      alt,
      width,
      height,
      widest: width,
      color,
      isPreview,
      // Its files are drawn; this is the largest WebP.
      sourceHash: sizes.at(-1)?.sha256 ?? "",
    });
  }
  const columns = commonColumns(entry, "photoSet", now);
  return {
    entry,
    media: { ...columns, photoCount: entry.photos, color: cover.color },
    video: null,
    trailer: null,
    photos: rows,
    files,
  };
}

function trailerOf(entry: DemoVideo, mediaId: string): typeof mediaTrailers.$inferInsert {
  const { from, to } = trailerRange(entry);
  return { mediaId, fromSeconds: from, toSeconds: to, version: 0 };
}

function commonColumns(entry: DemoVideo | DemoPhotoSet, type: MediaType, now: Date) {
  const id = demoId("media", entry.key);
  const day = new Date(now.getTime() - entry.daysAgo * DAY_MS);
  const made = new Date(day.getTime() - DAYS_TO_EDIT * DAY_MS).toISOString().slice(0, 10);
  return {
    id,
    type,
    ...stateColumns(entry, day, now),
    shortId: shortIdOf(id),
    slug: mediaSlug(entry.title, shortIdOf(id)),
    title: entry.title,
    description: entry.description,
    producedOn: entry.isUndated ? null : made,
    access: entry.access,
    allowDownload: entry.download,
    shootId: entry.shoot ? demoId("shoot", entry.shoot) : null,
    playCount: entry.plays,
    rankedPlays: entry.plays,
    createdAt: day < now ? day : now,
  };
}

function stateColumns({ state }: DemoVideo | DemoPhotoSet, day: Date, now: Date): Partial<MediaRow> {
  if (state === "draft") return { status: "draft" };
  const publishAt = day;
  if (state === undefined) return { status: day > now ? "scheduled" : "published", publishAt };
  const wasPublic = { publishAt, firstPublishedAt: day };
  if (state === "hidden") return { ...wasPublic, status: "hidden", hiddenFrom: "published" };
  const takedown = {
    takenDownFrom: "published" as const,
    takenDownAt: now,
    takenDownReason: TAKEDOWN_REASON,
  };
  return { ...wasPublic, ...takedown, status: "takenDown" };
}

function filesOf(entry: DemoVideo | DemoPhotoSet): string {
  return entry.filesOf ?? entry.key;
}

function webVtt(cues: [number, number, string][]): string {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  return ["WEBVTT", ...cues.map(([from, to, text]) => `${time(from)} --> ${time(to)}\n${text}`)].join("\n\n");
}
