import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withConnection } from "#db/connection.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { endFailure } from "#db/server/start-failure.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { failure } from "../support/process/failing-start.ts";

let template: string;
const made: string[] = [];

beforeAll(async () => {
  await buildWhenStale();
  template = await newFolder();
  const database = await startEmbedded(template);
  await database.stop();
});
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "peony-cannot-start-"));
  made.push(folder);
  return folder;
}

/** A data folder with its own database, changed by `damage`. */
async function damaged(damage: (databaseDir: string) => Promise<unknown>): Promise<string> {
  const folder = await newFolder();
  spawnSync("cp", ["-a", `${template}/.`, folder]);
  await damage(join(folder, "postgres"));
  return folder;
}

const otherVersion = () => damaged((databaseDir) => writeFile(join(databaseDir, "PG_VERSION"), "17\n"));

test.each<[string, () => Promise<string>, RegExp]>([
  [
    "data of another version of PostgreSQL",
    otherVersion,
    /made by PostgreSQL 17, but this is 18: start the version of the site/,
  ],
  [
    "a database of which a part is missing",
    () => damaged((databaseDir) => rm(join(databaseDir, "global", "pg_control"))),
    /is incomplete or damaged: restore it from a backup/,
  ],
  [
    "a lost password",
    () => damaged((databaseDir) => rm(join(databaseDir, "..", "postgres.json"))),
    /postgres\.json, which holds its password, is missing or damaged: restore it/,
  ],
  [
    "memory that the system refuses",
    () =>
      damaged((databaseDir) => appendFile(join(databaseDir, "postgresql.auto.conf"), "huge_pages = on\n")),
    /too little memory: free up some/,
  ],
  [
    "a reason that only PostgreSQL knows",
    () => damaged((databaseDir) => appendFile(join(databaseDir, "postgresql.auto.conf"), "peonies = 1\n")),
    /: configuration file "\/[^"]*\/postgres\/postgresql\.auto\.conf" contains errors\.$/,
  ],
])("%s is reported in one line", async (_, prepare, line) => {
  const { code, lines } = await failure({ DATA_DIR: await prepare() });
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(line)] });
  expect(lines[0]).toMatch(/^The built-in database cannot start: /);
});

test("a port taken by another program at the last moment is reported in one line", async () => {
  const port = new URL(process.env.DATABASE_URL ?? "").port;
  await expect(startEmbedded(template, ["-p", port])).rejects.toThrow(
    /^The built-in database cannot start: another program has just taken its port: start again\.$/,
  );
});

test("the database needs no /dev/shm, which is tiny in some containers", async () => {
  const { adminUrl, stop } = await startEmbedded(template);
  const [row] = await withConnection(adminUrl, (sql) => sql`SHOW dynamic_shared_memory_type`);
  await stop();
  expect(row?.dynamic_shared_memory_type).toBe("sysv");
});

/** Root, or a user who may create namespaces, can mount an 8 MB disk; otherwise only the message is tested. */
const WITH_OWN_MOUNTS = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
const mayMount =
  spawnSync("unshare", [...WITH_OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test(`a full disk is reported in one line (${mayMount ? "on a disk of 8 MB" : "the sentence alone: no disk could be mounted"})`, async () => {
  const line = /no space is left for [^\n]*: free up some, then start again\.$/i;
  const folder = await newFolder();
  if (!mayMount) {
    const ending = { said: "FATAL:  could not write: No space left on device", code: 1, signal: null };
    expect(endFailure(ending, { program: "postgres", databaseDir: folder }).message).toMatch(line);
    return;
  }
  const script = `mount -t tmpfs -o size=8m,mode=700 none '${folder}' && exec '${process.execPath}' build/scripts/supervise.js`;
  const { status, stdout, stderr } = spawnSync("unshare", [...WITH_OWN_MOUNTS, "sh", "-c", script], {
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: folder },
  });
  expect({ status, said: `${stdout}${stderr}`.trim() }).toEqual({
    status: 1,
    said: expect.stringMatching(line),
  });
});

test.each([
  ["--import tsx scripts/supervise.ts --dev"],
  ["build/scripts/migrate.js"],
  ["build/scripts/import-media.js docs"],
])("%s says in one line why the database cannot start", async (command) => {
  const { code, lines } = await failure({ DATA_DIR: await otherVersion() }, command.split(" "));
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [expect.stringContaining("but this is 18: start the version of the site")],
  });
});
