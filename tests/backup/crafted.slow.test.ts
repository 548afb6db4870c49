import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { BackupError } from "#app/domain/backup/archive-format.ts";
import { backUp } from "#app/domain/backup/back-up.server.ts";
import { checkBackup } from "#app/domain/backup/check-backup.server.ts";
import { withLongConnection } from "#app/domain/backup/long-connection.server.ts";
import { restore } from "#app/domain/backup/restore.server.ts";
import { listTables } from "#app/domain/backup/tables.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { readJournal } from "#db/migrations/journal.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { readRecordedTables } from "#db/migrations/recorded-tables.ts";
import { digestOf, keysIn } from "#tests/support/database/backup.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { announceBytes, CraftedBackup } from "#tests/support/database/crafted-backup.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-crafted-"));
const source = process.env.DATABASE_URL ?? "";
const whole = join(folder, "whole.tar");
const AVATAR = "media/avatars/someone/1.webp";
const USERS = "tables/users/000001.copy.gz";
const JOBS = "jobs/000001.json.gz";
const FILES = "files/000001.json.gz";
const HUGE = 8_000_000_000;
let base: CraftedBackup;
/** A site that was started once, and one with a member. */
let empty = "";
let live = "";
let unchanged: Record<string, string>[] = [];

beforeAll(async () => {
  await createMember();
  await createVideo({ withFiles: true });
  await mediaStorage.put("avatars/someone/1.webp", Buffer.from("portrait"));
  await enqueue("send-mail", { mailId: "00000000-0000-4000-8000-000000000000" }, db, { afterSeconds: 60 });
  await backUp(source, whole, { hasMedia: true });
  base = await CraftedBackup.read(whole);
  // The restores of this file have the media folder of this process.
  await rm(config.media.dir, { recursive: true });
  [empty, live] = [await cloneDatabase(inject("serverUrl")), await cloneDatabase(inject("serverUrl"))];
  await withConnection(live, (sql) => sql`INSERT INTO users (email) VALUES ('member@example.com')`);
  unchanged = [await digestOf(live), await digestOf(empty)];
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Change = (backup: CraftedBackup) => void;

const CHANGES: Record<string, Change> = {
  "a table that the site does not have": (backup) => backup.addTable("strangers", ["id"], "1\n"),
  "a table of the queue": (backup) => backup.addTable("graphile_worker._private_jobs", ["id"], "1\n"),
  "a table of the server": (backup) => backup.addTable("pg_catalog.pg_authid", ["rolname"], "somebody\n"),
  "a table of the list of migrations": (backup) => backup.addTable("__drizzle_migrations", ["hash"], "0\n"),
  "a table whose name is SQL": (backup) =>
    backup.addTable(`users" (email) FROM PROGRAM 'id'; --`, ["email"], "a@example.com\n"),
  "a table whose name climbs": (backup) => backup.addTable("../users", ["email"], "a@example.com\n"),
  "a table of JavaScript's objects": (backup) => backup.addTable("__proto__", ["id"], "1\n"),
  "a table less": (backup) => backup.removeTable("favorites"),
  "one table alone": (backup) => {
    for (const { name } of headOf(backup).tables) if (name !== "site_settings") backup.removeTable(name);
  },
  "no table": (backup) => {
    for (const { name } of headOf(backup).tables) backup.removeTable(name);
  },
  "a table twice in its list": (backup) =>
    backup.changeHead(({ tables }) => tables.push(tables[0] as (typeof tables)[number])),
  "tables before those that they reference": (backup) => backup.changeHead(({ tables }) => tables.reverse()),
  "a column less": (backup) => changeColumns(backup, (columns) => columns.slice(1)),
  "a column more": (backup) => changeColumns(backup, (columns) => [...columns, "is_owner"]),
  "a column of another name": (backup) =>
    changeColumns(backup, (columns) => columns.map((name) => (name === "email" ? "mail" : name))),
  "a column twice": (backup) => changeColumns(backup, ([first = "", ...rest]) => [first, first, ...rest]),
  "a column whose name is SQL": (backup) =>
    changeColumns(backup, ([, ...rest]) => ['id") FROM PROGRAM $$id$$; --', ...rest]),
  "rows with a value less": (backup) =>
    backup.changeRows("users", (rows) => rows.replaceAll(/\t[^\t\n]*\n/g, "\n")),
  "rows with a value more": (backup) => backup.changeRows("users", (rows) => rows.replaceAll("\n", "\tx\n")),
  "rows after the mark of their end": (backup) => backup.changeRows("users", (rows) => `\\.\n${rows}`),
  "a row that does not end": (backup) => backup.changeRows("users", (rows) => rows.slice(0, -1)),
  "a piece twice": (backup) => repeat(backup, USERS),
  "a piece again after another table": (backup) =>
    backup.entries.splice(backup.at(JOBS), 0, { ...backup.named(USERS) }),
  "rows that begin with the second piece": (backup) => {
    backup.named(USERS).name = "tables/users/000002.copy.gz";
  },
  "rows that are not packed": (backup) => {
    backup.named(USERS).name = "tables/users/000001.copy";
  },
  "a piece that unpacks to more than fits into memory": (backup) => {
    backup.named(USERS).body = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  },
  "jobs before the rows": (backup) => move(backup, JOBS, 1),
  "jobs twice": (backup) => repeat(backup, JOBS),
  "a list of files twice": (backup) => {
    repeat(backup, FILES);
    backup.changeEnd((end) => {
      end.files *= 2;
    });
  },
  "an end twice": (backup) => repeat(backup, "end.json"),
  "rows after the end": (backup) => move(backup, USERS, backup.entries.length - 1),
  "a head twice": (backup) => repeat(backup, "backup.json"),
  "an entry of no kind": (backup) =>
    backup.entries.splice(2, 0, { name: "notes.txt", body: Buffer.from("x") }),
  "a table in the summary that is not in the list": (backup) =>
    backup.changeEnd((end) => {
      end.tables.strangers = { rows: 0, sha256: "0".repeat(64) };
    }),
  "a file whose path climbs": (backup) => addFile(backup, "media/media/../../../escaped"),
  "a file whose path climbs at once": (backup) => addFile(backup, "media/../escaped"),
  "a file with an absolute path": (backup) => addFile(backup, "media//tmp/escaped"),
  "a file with a path of Windows": (backup) => addFile(backup, "media/media/..\\escaped"),
  "a file in a folder that is not the media's": (backup) => addFile(backup, "media/pages/about.md"),
  "a file beside the folders": (backup) => addFile(backup, "media/escaped"),
  "a hidden file": (backup) => addFile(backup, "media/media/.escaped"),
  "a file twice": (backup) => repeat(backup, AVATAR),
  "a file again after its list": (backup) =>
    backup.entries.splice(backup.at("end.json"), 0, {
      ...backup.named(AVATAR),
      body: Buffer.from("something else"),
    }),
  "files in a backup without media": (backup) =>
    backup.changeHead((head) => {
      head.hasMedia = false;
    }),
  "a link instead of a file": (backup) => becomes(backup, AVATAR, "symlink", "/etc/passwd"),
  "a hard link instead of a file": (backup) => becomes(backup, AVATAR, "link", "backup.json"),
  "a folder instead of a file": (backup) => becomes(backup, AVATAR, "directory"),
  "a device instead of a file": (backup) => becomes(backup, AVATAR, "character-device"),
  "a link instead of rows": (backup) => becomes(backup, USERS, "symlink", "/etc/passwd"),
  "a list that names a file elsewhere": (backup) =>
    backup.changeList(FILES, ([first]) => Object.assign(first ?? {}, { storageKey: "media/../../escaped" })),
  "a list of something else": (backup) => {
    backup.named(FILES).body = gzipSync(`[${"[],".repeat(100_000)}[]]`);
  },
  "a job that is tried too often for the queue": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { max_attempts: 40_000 })),
  "a job at no time": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { run_at: "tomorrow" })),
  "a job with a name that is too long": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { identifier: "x".repeat(129) })),
  "a job on a day that no month has": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { run_at: "2026-02-30 12:00:00+00" })),
  "a job in a zone that no place has": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { run_at: "2026-02-03 12:00:00+99" })),
  "a job with a zero in its payload": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { payload: { mailId: "\0" } })),
  "a job with half of a character in its payload": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { payload: { mailId: "\ud83d" } })),
  "a job whose payload is a list": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { payload: [] })),
  "a job less": (backup) => {
    backup.named(JOBS).body = gzipSync("[]");
  },
  "a job of another name": (backup) => {
    const entry = backup.named(JOBS);
    entry.body = gzipSync(gunzipSync(entry.body).toString().replace("send-mail", "back-up"));
  },
  "no piece of its jobs": (backup) => backup.entries.splice(backup.at(JOBS), 1),
  "no hash of its jobs": (backup) =>
    backup.changeEnd((end) => {
      Object.assign(end, { jobs: undefined });
    }),
  "a job whose key another one has": (backup) =>
    backup.changeList(JOBS, (jobs) => {
      Object.assign(jobs[0] ?? {}, { job_key: "key" });
      jobs.push({ ...jobs[0] });
    }),
  "a job whose key one of another piece has": (backup) => {
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { job_key: "key" }));
    const second = { ...backup.named(JOBS), name: "jobs/000002.json.gz" };
    backup.entries.splice(backup.at(JOBS) + 1, 0, second);
    backup.hashJobs();
  },
  "a file whose path is the folder of another": (backup) => addFile(backup, "media/avatars/someone"),
  "a file whose folder is another": (backup) => addFile(backup, `${AVATAR}/1/2.webp`),
  "a list that names the folder of a file": (backup) => listAlone(backup, "avatars/someone"),
  "a list that names a file below a file": (backup) => listAlone(backup, "avatars/someone/1.webp/2.webp"),
  "a list that names a file twice": (backup) => listAlone(backup, "avatars/someone/1.webp"),
  "a head that is larger than any": (backup) => {
    backup.named("backup.json").body = Buffer.concat([
      backup.named("backup.json").body,
      Buffer.alloc(2_000_000, " "),
    ]);
  },
  "a format before the first": (backup) =>
    backup.changeHead((head) => {
      head.format = 0;
    }),
  "a migration that writes to the terminal": (backup) =>
    backup.changeHead((head) => {
      head.migration = `0024_\u001b[2J\nThe backup is whole`;
    }),
};

/** A restore reads entries as the check does, so of those that it finds late only some are tried with it. */
const TRIED_LATE = [
  ...[
    "rows with a value less",
    "rows after the mark of their end",
    "a piece again after another table",
    "jobs twice",
  ],
  ...[
    "rows after the end",
    "a file whose path climbs",
    "a file again after its list",
    "a link instead of rows",
  ],
  ...["a job less", "a job whose key another one has", "a file whose path is the folder of another"],
  ...[
    "a list that names the folder of a file",
    "a job at no time",
    "a table in the summary that is not in the list",
    "a head that is larger than any",
  ],
  ...["a format before the first", "a migration that writes to the terminal"],
];
/** The cases before this one concern the head, with which a restore begins. */
const FIRST_LATE = Object.keys(CHANGES).indexOf("rows with a value less");

test.each(Object.keys(CHANGES))("a backup with %s is refused by the check and by a restore", async (name) => {
  const backup = base.copy();
  CHANGES[name]?.(backup);
  const path = join(folder, "changed.tar");
  await backup.write(path);
  const isLate = Object.keys(CHANGES).indexOf(name) >= FIRST_LATE;
  await expectRefused(path, isLate && !TRIED_LATE.includes(name) ? [] : [live, empty]);
});

test.each([USERS, "backup.json", AVATAR, "end.json"])(
  "a length of %s that is longer than the file is refused before anything is read",
  async (entry) => {
    const path = join(folder, "announced.tar");
    await base.write(path);
    await announceBytes(path, entry, HUGE);
    await expectRefused(path);
  },
);

test("a backup that ends early is refused, wherever it ends", async () => {
  const path = join(folder, "short.tar");
  await base.write(path);
  const lengths = [0, 1, 511, 512, 40_000, 100_000, -2_048].map((at) => (at < 0 ? sizeOf(base) + at : at));
  for (const length of lengths) {
    await base.write(path);
    await truncate(path, length);
    await expectRefused(path, length > 40_000 ? [] : [live, empty]);
  }
});

test("a value of the wrong type is refused without being repeated", async () => {
  const backup = base.copy();
  backup.changeRows("users", (rows) => rows.replace(/^[^\t]+/, "not-an-id"));
  const path = join(folder, "value.tar");
  await backup.write(path);
  const error = await restore(empty, path, () => {}).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(BackupError);
  expect((error as Error).message).toBe("The backup is damaged: take another one. Nothing was restored.");
});

test("rows that refer to others that are not there are refused", async () => {
  const backup = base.copy();
  backup.changeRows("media", () => "");
  const path = join(folder, "references.tar");
  await backup.write(path);
  await expect(restore(empty, path, () => {})).rejects.toThrow(/damaged/);
  expect(await keysIn(config.dataDir)).toEqual([]);
});

test("a site that others are connected to is left alone, though nobody has joined it yet", async () => {
  const visitor = postgres(empty, { max: 1, connection: { application_name: "a web process" } });
  await visitor`SELECT 1`;
  await expect(restore(empty, whole, () => {})).rejects.toThrow(
    /^Somebody else uses this database \(user \w+, program a web process\): stop the site/,
  );
  await visitor.end();
});

test("a whole backup is good for the check, refused by a site with a member, and restored by an empty one", async () => {
  await expect(checkBackup(whole, () => {})).resolves.toBeDefined();
  await expect(restore(live, whole, () => {})).rejects.toThrow("The database is not empty");
  await expect(restore(empty, whole, () => {})).resolves.toBeDefined();
});

test("a backup that was made at the first migration is restored and migrated", async () => {
  const [first] = await readJournal();
  const [earlier, target] = [
    await cloneDatabase(inject("serverUrl"), "template1"),
    await cloneDatabase(inject("serverUrl"), "template1"),
  ];
  await migrateDatabase(earlier, first?.tag);
  await withConnection(earlier, async (sql) => {
    await sql`INSERT INTO users (email) VALUES ('early@example.com')`;
    await sql`INSERT INTO media (type, short_id, slug, title, status, publish_at)
      VALUES ('video', 'early', 'early-early', 'Early', 'published', now())`;
  });
  const path = join(folder, "first.tar");
  await backUp(earlier, path, { hasMedia: false });
  expect((await restore(target, path, () => {})).head.migration).toBe(first?.tag);
  await withConnection(target, async (sql) => {
    expect([...(await sql`SELECT email FROM users`)]).toEqual([{ email: "early@example.com" }]);
    expect([...(await sql`SELECT title FROM media`)]).toEqual([{ title: "Early" }]);
  });
}, 60_000);

test("the tables that are recorded for each migration are those of a database", async () => {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  for (const entry of await readJournal()) {
    await migrateDatabase(url, entry.tag);
    const found = await withLongConnection(url, (connected) => listTables(connected));
    expect(columnsOf(await readRecordedTables(entry)), entry.tag).toEqual(columnsOf(found));
  }
}, 60_000);

/** By the check and by restores into a live and an empty site, both of which stay as they are. */
async function expectRefused(path: string, sites = [live, empty]): Promise<void> {
  await expect(checkBackup(path, () => {})).rejects.toBeInstanceOf(BackupError);
  for (const url of sites) {
    const error = await restore(url, path, () => {}).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(BackupError);
    // A crafted name must not reach the terminal.
    expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  }
  expect([await digestOf(live), await digestOf(empty)]).toEqual(unchanged);
  expect(await keysIn(config.dataDir)).toEqual([]);
}

function headOf(backup: CraftedBackup) {
  return JSON.parse(backup.named("backup.json").body.toString());
}

function changeColumns(backup: CraftedBackup, change: (columns: string[]) => string[]): void {
  backup.changeHead(({ tables }) => {
    const users = tables.find(({ name }) => name === "users");
    if (users) users.columns = change(users.columns);
  });
}

function repeat(backup: CraftedBackup, name: string): void {
  backup.entries.splice(backup.at(name), 0, { ...backup.named(name) });
}

function move(backup: CraftedBackup, name: string, to: number): void {
  const [entry] = backup.entries.splice(backup.at(name), 1);
  if (entry) backup.entries.splice(to, 0, entry);
}

function addFile(backup: CraftedBackup, name: string): void {
  backup.entries.splice(backup.at(FILES), 0, { name, body: Buffer.from("crafted") });
}

/** Names one more file, in a backup without the files themselves. */
function listAlone(backup: CraftedBackup, storageKey: string): void {
  backup.removeMedia();
  backup.changeList(FILES, (files) => files.push({ ...files[0], storageKey }));
  backup.changeEnd((end) => {
    end.files += 1;
  });
}

function becomes(
  backup: CraftedBackup,
  name: string,
  type: "symlink" | "link" | "directory" | "character-device",
  linkname?: string,
): void {
  Object.assign(backup.named(name), { type, linkname, body: Buffer.alloc(0) });
}

function sizeOf(backup: CraftedBackup): number {
  return backup.entries.reduce((sum, { body }) => sum + 512 + Math.ceil(body.length / 512) * 512, 1_024);
}

function columnsOf(tables: { name: string; columns: string[] }[]): Record<string, string[]> {
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.toSorted()]));
}
