import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { openPicture } from "#app/domain/media/picture.server.ts";
import { averageColor, encodeBlur, type Pixels } from "#app/domain/media/pixels.server.ts";
import {
  BLUR_WIDTH,
  COVER_WIDTHS,
  coverHeight,
  fileNames,
  IMAGE_FORMATS,
  photoWidths,
} from "#app/domain/media/renditions.ts";
import {
  type CreatorFileRow,
  type MediaFileRow,
  storeCreatorFile,
  storeMediaFile,
  storeVideoFile,
} from "#app/domain/media/store-file.server.ts";
import { bandwidthOf, PLAYLIST_TYPE, segmentsOf } from "#app/domain/media/video/playlist.ts";
import type { MediaType } from "#app/paths.ts";
import { DEMO_DIR, DEMO_SIZES, type DemoVideo, mp4Sizes } from "./read-catalogue.server.ts";

interface Stored<Row> {
  files: Row[];
  /** "#rrggbb" */
  color: string;
  width: number;
  height: number;
}

/** The same key has the same id in every installation, so repeated seeding overwrites its own files. */
export function demoId(kind: string, key: string): string {
  const hex = createHash("sha256").update(`demo ${kind} ${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export async function storeDemoCover(
  key: string,
  mediaId: string,
  type: MediaType,
): Promise<Stored<MediaFileRow>> {
  const common = { mediaId, needs: "see" as const };
  const put = (name: string, source: Source, facts: Facts) =>
    storeMediaFile(source, { ...common, name, ...facts });
  // A set's cover is its first photo.
  const sourceOf: NameOf =
    type === "video" ? fileNames.cover : (width, format) => fileNames.photo(1, width, format);
  const stored = await storeSizes(join(DEMO_DIR, key), COVER_WIDTHS, fileNames.cover, put, sourceOf);
  const [width, height] = [BLUR_WIDTH, coverHeight(type, BLUR_WIDTH)];
  const blur = await encodeBlur(stored.pixels, width, height);
  const file = await put(fileNames.blur(), blur, { contentType: "image/webp", width, height });
  return { ...stored, files: [...stored.files, file] };
}

export function storeDemoPhoto(
  key: string,
  { mediaId, number, needs }: { mediaId: string; number: number; needs: "view" | "preview" },
): Promise<Stored<MediaFileRow>> {
  const nameOf: NameOf = (width, format) => fileNames.photo(number, width, format);
  return storeSizes(join(DEMO_DIR, key), photoWidths(DRAWN_WIDTH), nameOf, (name, source, facts) =>
    storeMediaFile(source, { mediaId, needs, name, ...facts }),
  );
}

export function storeDemoDownload(
  key: string,
  { mediaId, number, ...size }: { mediaId: string; number: number; width: number; height: number },
): Promise<MediaFileRow> {
  const name = fileNames.photoDownload(number, size.width);
  const facts = { mediaId, needs: "view", name, contentType: "image/jpeg", ...size } as const;
  return storeMediaFile({ path: join(DEMO_DIR, key, name) }, facts);
}

export function storeDemoPortrait(key: string, creatorId: string): Promise<Stored<CreatorFileRow>> {
  const folder = join(DEMO_DIR, "creators", key);
  return storeSizes(folder, COVER_WIDTHS, fileNames.portrait, (name, source, facts) =>
    storeCreatorFile(source, { creatorId, name, ...facts }, "demo"),
  );
}

/** The files that a worker would make of the video: its sizes, the pictures of its timeline, its previews. */
export async function storeDemoSizes(
  key: string,
  { sizes, mediaId }: Pick<DemoVideo, "sizes"> & { mediaId: string },
): Promise<MediaFileRow[]> {
  const folder = join(DEMO_DIR, key);
  const own = { mediaId, needs: "view" as const };
  const files: MediaFileRow[] = [];
  for (const size of mp4Sizes({ sizes })) {
    const { width, height } = DEMO_SIZES[size];
    const path = join(folder, fileNames.video(size));
    files.push(await storeVideoFile({ path }, { mediaId, width, height }));
  }
  for (const { codecs, ...size } of sizes.map((each) => DEMO_SIZES[each])) {
    const rung = { ...own, ...size, name: fileNames.rung(size.height), contentType: "video/mp4" };
    files.push(await storeMediaFile({ path: join(folder, rung.name) }, rung));
    const playlist = {
      ...own,
      ...size,
      name: fileNames.rungPlaylist(size.height),
      contentType: PLAYLIST_TYPE,
    };
    const path = join(folder, playlist.name);
    const bandwidth = bandwidthOf(segmentsOf(await readFile(path, "utf8")));
    files.push({ ...(await storeMediaFile({ path }, playlist)), bandwidth, codecs });
  }
  const sheet = join(folder, fileNames.sprite(1));
  const { width, height } = await sharp(sheet).metadata();
  const times = { ...own, name: fileNames.spriteTimes(), contentType: "text/vtt; charset=utf-8" };
  files.push(
    await storeMediaFile(
      { path: sheet },
      { ...own, name: fileNames.sprite(1), contentType: "image/webp", width, height },
    ),
    await storeMediaFile({ path: join(folder, times.name) }, times),
    await storeMediaFile(
      { path: join(folder, fileNames.hover()) },
      { ...own, name: fileNames.hover(), contentType: "video/mp4" },
    ),
  );
  return files;
}

export function storeDemoTrailer(key: string, mediaId: string): Promise<MediaFileRow[]> {
  const names = [fileNames.trailer(), fileNames.trailerHover()];
  return Promise.all(
    names.map((name) =>
      storeMediaFile(
        { path: join(DEMO_DIR, key, name) },
        { mediaId, needs: "see", name, contentType: "video/mp4" },
      ),
    ),
  );
}

const DRAWN_WIDTH = 960;

type Source = Parameters<typeof storeMediaFile>[0];
type NameOf = (width: number, format: "avif" | "webp") => string;
interface Facts {
  contentType: string;
  width: number;
  height: number;
}

/** Both formats are kept in the repository: encoding them would delay the first start, and copying is fast. */
async function storeSizes<Row>(
  folder: string,
  widths: readonly number[],
  nameOf: NameOf,
  put: (name: string, source: Source, facts: Facts) => Promise<Row>,
  sourceOf = nameOf,
): Promise<Stored<Row> & { pixels: Pixels }> {
  const files: Row[] = [];
  let largest = { width: 0, height: 0 };
  for (const size of widths) {
    const { width, height } = await sharp(join(folder, sourceOf(size, "webp"))).metadata();
    if (width > largest.width) largest = { width, height };
    for (const format of IMAGE_FORMATS) {
      const path = join(folder, sourceOf(size, format));
      files.push(
        await put(nameOf(size, format), { path }, { contentType: `image/${format}`, width, height }),
      );
    }
  }
  // The smallest file is enough for the average color and the blur.
  const { pixels } = await openPicture(join(folder, sourceOf(Math.min(...widths), "webp")));
  return { files, pixels, ...largest, color: await averageColor(pixels) };
}
