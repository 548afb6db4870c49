import { z } from "zod";
import { count } from "#app/counts.ts";
import { isStorageKey } from "#app/domain/media/storage/storage.ts";

/** Raised when an older restore could not read a backup, or when a backup has something that every later one must have. */
export const FORMAT = 7;
/** The format of 1.0.0-rc.1. Backups of a lower one are of a schema that no version takes over. */
export const FIRST_FORMAT = 6;

/** Names of the archive's entries, in this order; tables and lists come in pieces, each of which gzip can check. */
export const entryNames = {
  head: "backup.json",
  table: (name: string, piece: number) => `tables/${name}/${padded(piece)}.copy.gz`,
  jobs: (piece: number) => `jobs/${padded(piece)}.json.gz`,
  files: (piece: number) => `files/${padded(piece)}.json.gz`,
  media: (storageKey: string) => `media/${storageKey}`,
  end: "end.json",
};

export const MEDIA_FOLDERS = ["media", "originals", "creators", "avatars", "site"];

const size = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const storageKeySchema = z
  .string()
  .refine((key) => isStorageKey(key) && MEDIA_FOLDERS.some((folder) => key.startsWith(`${folder}/`)));

export const headSchema = z.object({
  format: z.int(),
  createdAt: z.iso.datetime(),
  migration: z.string().regex(/^\d{4}_[\w-]{1,100}$/),
  /** Tables in the order in which they can be filled, with the columns of their rows. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  hasMedia: z.boolean(),
});

const queueText = z.string().max(512);

export const jobSchema = z.object({
  identifier: queueText,
  payload: z.record(z.string(), z.unknown()),
  queue_name: queueText.nullable(),
  /** In the text of a timestamptz. */
  run_at: queueText,
  max_attempts: z.int(),
  job_key: queueText.nullable(),
  priority: z.int(),
});

export const fileSchema = z.object({ storageKey: storageKeySchema, bytes: size, sha256: hash });

export const endSchema = z.object({
  tables: z.record(z.string(), z.object({ rows: size })),
  files: size,
  missingFiles: size,
});

export type BackupHead = z.infer<typeof headSchema>;
export type BackupEnd = z.infer<typeof endSchema>;
export type BackupFile = z.infer<typeof fileSchema>;
export type BackupJob = z.infer<typeof jobSchema>;

/** Bytes done of all; the total is an estimate. Another total begins other work. */
export type OnProgress = (progress: { done: number; total: number }) => void;

export class BackupError extends Error {}

export function rowsIn({ tables }: BackupEnd): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns "12 rows and 3 media files"; without media, "12 rows and the names of 3 media files". */
export function contentsOf(hasMedia: boolean, end: BackupEnd): string {
  return `${count(rowsIn(end), "row")} and ${hasMedia ? "" : "the names of "}${count(end.files, "media file")}`;
}

function padded(piece: number): string {
  return String(piece).padStart(6, "0");
}
