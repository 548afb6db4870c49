import { z } from "zod";
import { type ArchiveEntry, damaged, readAs } from "./archive.server.ts";
import { BackupError, type BackupHead, entryNames, FORMAT, headSchema } from "./archive-format.ts";

const anyFormat = z.looseObject({ format: z.number() });

/** Throws a BackupError for another file, and for a backup that this version cannot read. */
export async function readHead(entries: AsyncGenerator<ArchiveEntry>): Promise<BackupHead> {
  const first = await entries.next().catch(() => null);
  if (!first?.value || first.value.name !== entryNames.head) {
    throw new BackupError("This file is no backup of this site.");
  }
  const head = await readAs(anyFormat, first.value);
  if (head.format > FORMAT) throw newer(`format ${head.format}`);
  const { success, data } = headSchema.safeParse(head);
  return success ? data : damaged();
}

export function newer(what: string): BackupError {
  return new BackupError(
    `A newer version of the site made this backup (${what}): install that version first.`,
  );
}
