import { sizeText } from "./sizes.ts";

/** In bytes: the largest files that the site accepts. People read them as sizeText() writes them. */
export const FILE_LIMITS = {
  /** A profile picture, a portrait, or a picture of the site itself. */
  picture: 5_000_000,
  photo: 300_000_000,
  video: 64_000_000_000,
  captions: 5_000_000,
  sidecar: 1_000_000,
  /** All files of one form of an item's page, which never stay in memory. */
  itemForm: 64_000_000,
};

/** One request of an upload: browsers send pieces of this size, and nginx and the site accept no larger ones. */
export const PIECE_BYTES = 5 * 1024 ** 2;

export const EMPTY_FILE = "the file is empty";

export function largerThan(limitBytes: number): string {
  return `larger than ${sizeText(limitBytes)}`;
}

/** Above the largest cameras on sale; more would take hundreds of megabytes to decode. */
export const MAX_MEGAPIXELS = 65;
