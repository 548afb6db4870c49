import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readJournal } from "#db/migrations/journal.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const SHARED = ["build", "node_modules", "package.json", "public"];

export interface Release {
  /** The programs run as this release when they are started here. */
  folder: string;
  remove(): Promise<void>;
}

/** A name like "0021_hue", and its text. */
export type AddedMigration = [name: string, text: string];

/** A later release: the present build with more migrations. */
export async function makeRelease(added: AddedMigration[]): Promise<Release> {
  await builtScript("migrate");
  const folder = await mkdtemp(join(tmpdir(), "peony-release-"));
  for (const name of SHARED) await symlink(resolve(name), join(folder, name));
  const drizzle = join(folder, "drizzle");
  await cp("drizzle", drizzle, { recursive: true });
  const journal = await readJournal();
  const last = journal.at(-1) ?? { when: 0 };
  const later = added.map(([tag], index) => ({ tag, when: last.when + index + 1 }));
  await writeFile(join(drizzle, "meta/_journal.json"), JSON.stringify({ entries: [...journal, ...later] }));
  for (const [tag, text] of added) await writeFile(join(drizzle, `${tag}.sql`), text);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The first release: the present build without the migrations that came on top. Only programs for any schema run as it. */
export async function makeFirstRelease(): Promise<Release> {
  const release = await makeRelease([]);
  const [first] = await readJournal();
  await writeFile(join(release.folder, "drizzle/meta/_journal.json"), JSON.stringify({ entries: [first] }));
  return release;
}
