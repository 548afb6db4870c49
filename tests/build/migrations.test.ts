import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { generateDrizzleJson } from "drizzle-kit/api";
import { expect, test, vi } from "vitest";
import { readJournal } from "#db/migrations/journal.ts";
import { lintMigrations, type MigrationFile } from "#tests/support/database/lint-migrations.ts";

/** The newest migration from before 1.0: no build from before it has to work (decision 191). */
const LAST_UNCHECKED = "0009_storage_places";

const journal = await readJournal();
const files = await Promise.all(
  journal.map(async ({ tag }) => ({ name: tag, text: await readFile(`drizzle/${tag}.sql`, "utf8") })),
);
const unchecked = files.findIndex(({ name }) => name === LAST_UNCHECKED) + 1;

test("each migration runs beside visitors and beside the build before it", async () => {
  expect(unchecked).toBeGreaterThan(0);
  expect(await lintMigrations(files, unchecked)).toEqual([]);
});

test("the first migration is frozen, because every site since 1.0.0-rc.1 has applied it", () => {
  const hash = createHash("sha256")
    .update(files[0]?.text ?? "")
    .digest("hex");
  expect({ ...journal[0], hash }).toMatchObject({
    ...{ tag: "0000_first_schema", when: 1795872854995 },
    hash: "cb5d91b020a14b4b337252985acaa8348e12d4c359aabafdbb853a8f903a015c",
  });
});

test("migrations are applied in the order of their numbers", () => {
  expect(journal.map(({ tag }) => Number(tag.slice(0, 4)))).toEqual(journal.map((_, index) => index));
  expect(journal.map(({ when }) => when)).toEqual(journal.map(({ when }) => when).sort((a, b) => a - b));
});

test("the newest snapshot is the schema of the code, so that the next migration holds only what is new", async () => {
  const number = journal.at(-1)?.tag.slice(0, 4);
  const newest = JSON.parse(await readFile(`drizzle/meta/${number}_snapshot.json`, "utf8"));
  const modules = import.meta.glob("../../db/schema/*.ts", { eager: true });
  const schema = generateDrizzleJson(Object.assign({}, ...Object.values(modules)));
  expect(newest).toEqual({ ...schema, id: newest.id, prevId: newest.prevId });
});

// Each check runs squawk, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** The lines about migrations that follow 0000_first and 0001_second. */
function lint(...added: [name: string, text: string][]): Promise<string[]> {
  const past: MigrationFile[] = ["0000_first", "0001_second"].map((name) => ({ name, text: "SELECT 1;" }));
  return lintMigrations([...past, ...added.map(([name, text]) => ({ name, text }))], past.length);
}

const EXPAND = '-- Oldest build: 0001_second\nALTER TABLE "media" ADD COLUMN "hue" text;';

test.each([
  ["adding-required-field", 'ALTER TABLE "media" ADD COLUMN "hue" text NOT NULL;'],
  ["require-concurrent-index-creation", 'CREATE INDEX "media_hue" ON "media" ("hue");'],
  ["changing-column-type", 'ALTER TABLE "media" ALTER COLUMN "hue" TYPE bigint;'],
  ["renaming-column", 'ALTER TABLE "media" RENAME COLUMN "hue" TO "tint";'],
  ["ban-drop-column", 'ALTER TABLE "media" DROP COLUMN "hue";'],
])("an expansion is refused for %s", async (rule, statement) => {
  const found = await lint(["0002_third", `-- Oldest build: 0001_second\n${statement}`]);
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^0002_third:\\d+: ${rule}: `)));
});

test("a removal has to exclude the builds that use what it removes", async () => {
  const drop = 'ALTER TABLE "media" DROP COLUMN "hue";';
  const contract = (oldest: string): [string, string] => [
    "0003_fourth",
    `-- Oldest build: ${oldest}\n${drop}`,
  ];
  expect(await lint(["0002_third", EXPAND], contract("0002_third"))).toEqual([]);
  expect(await lint(["0002_third", EXPAND], contract("0001_second"))).toEqual([
    expect.stringMatching(/^0003_fourth:2: ban-drop-column: /),
  ]);
});

test.each([
  ["nothing", "ALTER TABLE media ADD COLUMN hue text;", /^0002_third: begin it with "-- Oldest build: "/],
  ["no migration", EXPAND.replace("0001_second", "0001_unknown"), /begin it with/],
  ["itself", EXPAND.replace("0001_second", "0002_third"), /begin it with/],
])("a migration that names %s as the oldest build is refused", async (_, text, problem) => {
  expect(await lint(["0002_third", text])).toEqual([expect.stringMatching(problem)]);
});

test("a build that was excluded stays excluded", async () => {
  const contract = '-- Oldest build: 0002_third\nALTER TABLE "media" DROP COLUMN "hue";';
  const found = await lint(["0002_third", EXPAND], ["0003_fourth", contract], ["0004_fifth", EXPAND]);
  expect(found).toEqual(["0004_fifth: an earlier migration has excluded 0001_second already"]);
});

test("an index is built outside a transaction, after what an interrupted build left", async () => {
  const marks = "-- Oldest build: 0001_second\n-- Without a transaction\n";
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS "media_hue";--> statement-breakpoint\n';
  const create = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "media_hue" ON "media" ("hue");';
  expect(await lint(["0002_third", marks + drop + create])).toEqual([]);
  expect(await lint(["0002_third", marks + create])).toEqual([
    expect.stringMatching(/^0002_third: drop "media_hue" first/),
  ]);
  expect(
    await lint(["0002_third", `${marks}ALTER TABLE "media" ADD COLUMN IF NOT EXISTS "hue" text;`]),
  ).toEqual([expect.stringMatching(/only statements with INDEX CONCURRENTLY/)]);
});
