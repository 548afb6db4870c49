import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { mediaAccess } from "#db/schema/catalog.ts";

export const DEMO_DIR = resolve("demo/catalogue");
export const DEMO_SIZES = {
  1080: { width: 1920, height: 1080, codecs: "avc1.64002a,mp4a.40.2" },
  720: { width: 1280, height: 720, codecs: "avc1.640028,mp4a.40.2" },
  360: { width: 640, height: 360, codecs: "avc1.64001f,mp4a.40.2" },
  180: { width: 320, height: 180, codecs: "avc1.64001e,mp4a.40.2" },
} as const;
const SMALLEST_HD = 720;
const TRAILER_SECONDS = 6;

const LOOKS = ["silk", "paper", "leak", "liquid", "dusk", "petal", "smoke", "glass"] as const;
const size = z.literal([1080, 720, 360, 180]);
const key = z.string().regex(/^[a-z0-9-]+$/);
/** Start and end in seconds, then the text. */
const cue = z.tuple([z.number(), z.number(), z.string()]);

const creator = z.strictObject({
  key,
  look: z.enum(LOOKS),
  name: z.string(),
  aliases: z.array(z.string()),
  bio: z.string(),
  portraitAlt: z.string(),
  links: z.array(z.strictObject({ label: z.string(), url: z.url() })),
});
const media = z.strictObject({
  key,
  title: z.string(),
  description: z.string(),
  creators: z.array(key),
  tags: z.array(z.string()),
  access: z.enum(mediaAccess.enumValues),
  /** Days before seeding; a negative number schedules it for later. */
  daysAgo: z.number(),
  plays: z.number().int(),
  /** Media with the same word were made together. */
  shoot: z.string().optional(),
  download: z.boolean().default(false),
  /** Published or scheduled by `daysAgo` unless given; a draft has no date. */
  state: z.enum(["draft", "hidden", "takenDown"]).optional(),
  /** The key of an older item whose pictures and video it shares. */
  filesOf: key.optional(),
  /** An item that lacks its date of production. */
  isUndated: z.boolean().default(false),
});
const video = media.extend({
  seconds: z.number().min(8).max(40),
  /** The shorter sides of its sizes, the best first. */
  sizes: z.tuple([size], size).default([360]),
  markers: z.array(z.tuple([z.number(), z.string()])).default([]),
  captions: z.partialRecord(z.enum(["en", "fr", "de"]), z.array(cue)).default({}),
  /** A part of it is open to everyone past the age gate. */
  hasTrailer: z.boolean().default(false),
});
const photoSet = media.extend({
  photos: z.number().int().min(8).max(20),
  /** The number of leading photos that are open to everyone past the age gate. */
  previews: z.number().int(),
  alt: z.string(),
});
const catalogue = z.strictObject({
  creators: z.array(creator),
  videos: z.array(video),
  photoSets: z.array(photoSet),
});

export type DemoCatalogue = z.infer<typeof catalogue>;
export type DemoCreator = DemoCatalogue["creators"][number];
export type DemoVideo = DemoCatalogue["videos"][number];
export type DemoPhotoSet = DemoCatalogue["photoSets"][number];
export type LookName = (typeof LOOKS)[number];

export function isLarge({ sizes: [best] }: Pick<DemoVideo, "sizes">): boolean {
  return best >= SMALLEST_HD;
}

/** Its MP4s, which play without the ladder; not of every size, because they take as much space again. */
export function mp4Sizes({ sizes }: Pick<DemoVideo, "sizes">): DemoVideo["sizes"][number][] {
  return sizes.filter((size) => size === sizes[0] || size >= SMALLEST_HD);
}

/** The middle of the video. */
export function trailerRange({ seconds }: Pick<DemoVideo, "seconds">): { from: number; to: number } {
  const from = (seconds - TRAILER_SECONDS) / 2;
  return { from, to: from + TRAILER_SECONDS };
}

export async function readCatalogue(): Promise<DemoCatalogue> {
  return catalogue.parse(parse(await readFile(join(DEMO_DIR, "catalogue.yaml"), "utf8")));
}
