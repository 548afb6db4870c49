import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { BackupError, MEDIA_FOLDERS } from "#app/domain/backup/archive-format.ts";
import { backUp } from "#app/domain/backup/back-up.server.ts";
import { checkBackup } from "#app/domain/backup/check-backup.server.ts";
import { restore } from "#app/domain/backup/restore.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { digestOf, keysIn } from "#tests/support/database/backup.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { CraftedBackup } from "#tests/support/database/crafted-backup.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-crafted-"));
const source = process.env.DATABASE_URL ?? "";
const whole = join(folder, "whole.tar");
const AVATAR = "media/avatars/someone/1.webp";
const USERS = "tables/users/000001.copy.gz";
const JOBS = "jobs/000001.json.gz";
const FILES = "files/000001.json.gz";
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
  // The restores of this file store where this process does.
  for (const folder of MEDIA_FOLDERS) await mediaStorage.deleteFolder(folder);
  [empty, live] = [await cloneDatabase(inject("serverUrl")), await cloneDatabase(inject("serverUrl"))];
  await withConnection(live, (sql) => sql`INSERT INTO users (email) VALUES ('member@example.com')`);
  unchanged = [await digestOf(live), await digestOf(empty)];
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Change = (backup: CraftedBackup) => void;

/** Faults that need no database to be found. */
const CHECKED: Record<string, Change> = {
  "a piece that unpacks to more than fits into memory": (backup) => {
    backup.named(USERS).body = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  },
  "a piece with another byte": (backup) => {
    const entry = backup.named(USERS);
    entry.body = entry.body.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) as Buffer;
  },
  "no end": (backup) => backup.entries.splice(backup.at("end.json"), 1),
  "a file whose path climbs": (backup) => addFile(backup, "media/media/../../../escaped"),
  "a file in a folder that is not the media's": (backup) => addFile(backup, "media/pages/about.md"),
  "a hidden file": (backup) => addFile(backup, "media/media/.escaped"),
  "a link instead of a file": (backup) => becomes(backup, AVATAR, "symlink", "/etc/passwd"),
  "a list that names a file elsewhere": (backup) =>
    backup.changeList(FILES, ([first]) => Object.assign(first ?? {}, { storageKey: "media/../../escaped" })),
  "a migration that writes to the terminal": (backup) =>
    backup.changeHead((head) => {
      head.migration = `0024_\u001b[2J\nThe backup is whole`;
    }),
};

/** Faults that only the database of a restore can find. */
const RESTORED: Record<string, Change> = {
  "a table that the site does not have": (backup) => backup.addTable("strangers", ["id"], "1\n"),
  "a table of the queue": (backup) => backup.addTable("graphile_worker._private_jobs", ["id"], "1\n"),
  "a table whose name is SQL": (backup) =>
    backup.addTable(`users" (email) FROM PROGRAM 'id'; --`, ["email"], "a@example.com\n"),
  "a table less": (backup) => backup.removeTable("favorites"),
  "a column less": (backup) => changeColumns(backup, (columns) => columns.slice(1)),
  "a column whose name is SQL": (backup) =>
    changeColumns(backup, ([, ...rest]) => ['id") FROM PROGRAM $$id$$; --', ...rest]),
  "rows with a value less": (backup) =>
    backup.changeRows("users", (rows) => rows.replaceAll(/\t[^\t\n]*\n/g, "\n")),
  "a value of the wrong type": (backup) =>
    backup.changeRows("users", (rows) => rows.replace(/^[^\t]+/, "not-an-id")),
  "rows that refer to others that are not there": (backup) => backup.changeRows("media", () => ""),
  "a job with a zero in its payload": (backup) =>
    backup.changeList(JOBS, ([job]) => Object.assign(job ?? {}, { payload: { mailId: "\0" } })),
};

test.each(Object.keys(CHECKED))("a backup with %s is refused by the check and by a restore", async (name) => {
  const path = await changed(CHECKED[name]);
  await expect(checkBackup(path, () => {})).rejects.toBeInstanceOf(BackupError);
  await expectRefused(path);
});

test.each(Object.keys(RESTORED))(
  "a backup with %s is refused by a restore, which names no value",
  async (name) => {
    await expectRefused(await changed(RESTORED[name]));
  },
);

test("an intact backup passes the check, is refused by a site with a member, and is restored by an empty one", async () => {
  await expect(checkBackup(whole, () => {})).resolves.toBeDefined();
  await expect(restore(live, whole, () => {})).rejects.toThrow("The database is not empty");
  await expect(restore(empty, whole, () => {})).resolves.toBeDefined();
});

async function changed(change: Change | undefined): Promise<string> {
  const backup = base.copy();
  change?.(backup);
  const path = join(folder, "changed.tar");
  await backup.write(path);
  return path;
}

/** By restores into a live and an empty site, both of which stay as they are. */
async function expectRefused(path: string): Promise<void> {
  for (const url of [live, empty]) {
    const error = await restore(url, path, () => {}).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(BackupError);
    // A crafted name must not reach the terminal.
    expect((error as Error).message).not.toMatch(/\p{Cc}|not-an-id/u);
  }
  expect([await digestOf(live), await digestOf(empty)]).toEqual(unchanged);
  expect(await keysIn(config.dataDir)).toEqual([]);
}

function changeColumns(backup: CraftedBackup, change: (columns: string[]) => string[]): void {
  backup.changeHead(({ tables }) => {
    const users = tables.find(({ name }) => name === "users");
    if (users) users.columns = change(users.columns);
  });
}

function addFile(backup: CraftedBackup, name: string): void {
  backup.entries.splice(backup.at(FILES), 0, { name, body: Buffer.from("crafted") });
}

function becomes(backup: CraftedBackup, name: string, type: "symlink", linkname: string): void {
  Object.assign(backup.named(name), { type, linkname, body: Buffer.alloc(0) });
}
