import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type JournalEntry, readJournal } from "#db/migrations/journal.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const SHARED = ["build", "node_modules", "package.json", "public"];

export interface Release {
  /** The programs run as this release when they are started here. */
  folder: string;
  remove(): Promise<void>;
}

/** A later release: the present build with more migrations, each a name like "0021_hue" and its text. */
export async function makeRelease(added: [name: string, text: string][]): Promise<Release> {
  const journal = await readJournal();
  const last = journal.at(-1)?.when ?? 0;
  const later = added.map(([tag], index) => ({ tag, when: last + index + 1, breakpoints: true }));
  const { folder, remove } = await makeFolder([...journal, ...later]);
  for (const [tag, text] of added) await writeFile(join(folder, "drizzle", `${tag}.sql`), text);
  return { folder, remove };
}

/** An earlier release, as far as the check of the schema sees: the present build with migrations up to `newest`. */
export async function makeEarlierRelease(newest: string): Promise<Release> {
  const journal = await readJournal();
  return makeFolder(journal.slice(0, journal.findIndex(({ tag }) => tag === newest) + 1));
}

async function makeFolder(entries: JournalEntry[]): Promise<Release> {
  await builtScript("migrate");
  const folder = await mkdtemp(join(tmpdir(), "peony-release-"));
  for (const name of SHARED) await symlink(resolve(name), join(folder, name));
  await cp("drizzle", join(folder, "drizzle"), { recursive: true });
  await writeFile(join(folder, "drizzle/meta/_journal.json"), JSON.stringify({ entries }));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
