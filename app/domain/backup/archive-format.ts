import { z } from "zod";

/** Raised when an older restore could not read a backup. */
export const FORMAT = 2;

/** Names of the archive's entries, in this order; tables and lists come in pieces. */
export const entryNames = {
  head: "backup.json",
  table: (name: string, piece: number) => `tables/${name}/${padded(piece)}.copy.gz`,
  jobs: (piece: number) => `jobs/${padded(piece)}.json.gz`,
  files: (piece: number) => `files/${padded(piece)}.json.gz`,
  media: (storageKey: string) => `media/${storageKey}`,
  end: "end.json",
};

const size = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const headSchema = z.object({
  format: z.number(),
  createdAt: z.iso.datetime(),
  migration: z.string(),
  /** Tables in the order in which they can be filled, with the columns of their rows. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  hasMedia: z.boolean(),
});

export const jobSchema = z.object({
  identifier: z.string(),
  payload: z.unknown(),
  queue_name: z.string().nullable(),
  run_at: z.string(),
  max_attempts: z.number(),
  job_key: z.string().nullable(),
  priority: z.number(),
});

export const fileSchema = z.object({ storageKey: z.string(), bytes: size, sha256: hash });

/** The last entry, without which a backup is incomplete. */
export const endSchema = z.object({
  /** By table: rows, and the hash of their text in COPY's format. */
  tables: z.record(z.string(), z.object({ rows: size, sha256: hash })),
  files: size,
  missingFiles: size,
});

export type BackupHead = z.infer<typeof headSchema>;
export type BackupEnd = z.infer<typeof endSchema>;
export type BackupFile = z.infer<typeof fileSchema>;
export type BackupJob = z.infer<typeof jobSchema>;

/** Bytes done of all; the total is an estimate. Another total begins other work. */
export type OnProgress = (progress: { done: number; total: number }) => void;

/** A backup that cannot be made or restored; the message can be shown. */
export class BackupError extends Error {}

export function rowsIn({ tables }: BackupEnd): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns "12 rows and 3 media files"; without media, "12 rows and the names of 3 media files". */
export function contentsOf(hasMedia: boolean, end: BackupEnd): string {
  return `${rowsIn(end)} rows and ${hasMedia ? "" : "the names of "}${end.files} media files`;
}

function padded(piece: number): string {
  return String(piece).padStart(6, "0");
}
