import { z } from "zod";
import { readJournal } from "#db/migrations/journal.ts";
import { type ArchiveEntry, damaged, readAs } from "./archive.server.ts";
import {
  BackupError,
  type BackupHead,
  entryNames,
  FIRST_FORMAT,
  FORMAT,
  headSchema,
} from "./archive-format.ts";

const anyFormat = z.looseObject({ format: z.int() });
const BEFORE_THE_FIRST =
  "This backup is from before Peony's first release, and no later version can restore it: start with an empty DATA_DIR and database, and import your media again from the folders that they came from.";

/** Throws a BackupError for another file, and for a backup that this version cannot read. */
export async function readHead(entries: AsyncGenerator<ArchiveEntry>): Promise<BackupHead> {
  const first = await entries.next().catch(() => null);
  if (!first?.value || first.value.name !== entryNames.head) {
    throw new BackupError("This file is no backup of this site.");
  }
  const anyHead = await readAs(anyFormat, first.value);
  if (anyHead.format < FIRST_FORMAT) throw new BackupError(BEFORE_THE_FIRST);
  if (anyHead.format > FORMAT) throw newer(`format ${anyHead.format}`);
  const { success, data: head } = headSchema.safeParse(anyHead);
  if (!success) damaged();
  const isKnown = (await readJournal()).some(({ tag }) => tag === head.migration);
  if (!isKnown) throw newer(head.migration);
  return head;
}

function newer(what: string): BackupError {
  return new BackupError(
    `A newer version of the site made this backup (${what}): install that version first.`,
  );
}
