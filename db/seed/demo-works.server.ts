import { mediaSlug, shortIdOf } from "#app/domain/catalog/slug.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { storeCaptions, storeVideoFile } from "#app/domain/media/store-video.server.ts";
import type { MediaType } from "#app/paths.ts";
import type { media, photos, videos } from "../schema/catalog.ts";
import type { DemoPhotoSet, DemoVideo } from "./catalogue.server.ts";
import { demoFilm, demoId, storeDemoCover, storeDemoPhoto } from "./demo-files.server.ts";

/** Everything to insert for one work whose files are in place. */
export interface WorkRows {
  work: DemoVideo | DemoPhotoSet;
  media: typeof media.$inferInsert & { id: string };
  video: typeof videos.$inferInsert | null;
  photos: (typeof photos.$inferInsert)[];
  files: MediaFileRow[];
}

const DAY_MS = 24 * 3600 * 1000;
const DAYS_TO_EDIT = 23;
const FILM = { width: 640, height: 360 };
const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" };

export async function storeDemoVideo(work: DemoVideo, now: Date): Promise<WorkRows> {
  const mediaId = demoId("media", work.key);
  const cover = await storeDemoCover(work.key, mediaId, "video");
  const film = await storeVideoFile({ path: await demoFilm(work.key) }, { mediaId, ...FILM });
  const captions: MediaFileRow[] = [];
  for (const [language, cues] of Object.entries(work.captions)) {
    const label = LANGUAGES[language as keyof typeof LANGUAGES];
    captions.push(await storeCaptions(webVtt(cues), { mediaId, language, label }));
  }
  const markers = work.markers.map(([atSeconds, title]) => ({ atSeconds, title }));
  return {
    work,
    media: {
      ...commonColumns(work, "video", now),
      ...FILM,
      durationSeconds: work.seconds,
      color: cover.color,
    },
    video: { mediaId, markers, hasAudio: true },
    photos: [],
    files: [...cover.files, film, ...captions],
  };
}

export async function storeDemoPhotoSet(work: DemoPhotoSet, now: Date): Promise<WorkRows> {
  const mediaId = demoId("media", work.key);
  const cover = await storeDemoCover(work.key, mediaId, "photoSet");
  const files = [...cover.files];
  const rows: WorkRows["photos"] = [];
  for (let position = 1; position <= work.photos; position++) {
    const isPreview = position <= work.previews;
    const needs = isPreview ? "preview" : "view";
    const {
      files: sizes,
      width,
      height,
      color,
    } = await storeDemoPhoto(work.key, { mediaId, position, needs });
    files.push(...sizes);
    const alt = `${work.alt}, ${position} of ${work.photos}`;
    rows.push({
      id: demoId("photo", `${work.key} ${position}`),
      mediaId,
      position,
      alt,
      width,
      height,
      color,
      isPreview,
    });
  }
  const columns = commonColumns(work, "photoSet", now);
  return {
    work,
    media: { ...columns, photoCount: work.photos, color: cover.color },
    video: null,
    photos: rows,
    files,
  };
}

function commonColumns(work: DemoVideo | DemoPhotoSet, type: MediaType, now: Date) {
  const id = demoId("media", work.key);
  const publishAt = new Date(now.getTime() - work.daysAgo * DAY_MS);
  const status: (typeof media.$inferInsert)["status"] = work.withdrawn
    ? "withdrawn"
    : work.daysAgo < 0
      ? "scheduled"
      : "published";
  return {
    id,
    type,
    status,
    publishAt,
    shortId: shortIdOf(id),
    slug: mediaSlug(work.title, shortIdOf(id)),
    title: work.title,
    description: work.description,
    producedOn: new Date(publishAt.getTime() - DAYS_TO_EDIT * DAY_MS).toISOString().slice(0, 10),
    access: work.access,
    allowDownload: work.download,
    shootId: work.shoot ? demoId("shoot", work.shoot) : null,
    playCount: work.plays,
    createdAt: publishAt < now ? publishAt : now,
  };
}

function webVtt(cues: [number, number, string][]): string {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  return ["WEBVTT", ...cues.map(([from, to, text]) => `${time(from)} --> ${time(to)}\n${text}`)].join("\n\n");
}
