import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { withConnection } from "#db/connection.ts";
import { destroySite, emptyTarget, filesIn, runBackupScript } from "#tests/support/database/backup.ts";
import { createCreator, createPhotoSet, createVideo, type TestMedia } from "#tests/support/media.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { expectFigures } from "./support/figures.ts";
import { send, startLoad } from "./support/steady-load.ts";

const ROWS = 10_000;
const WRITES_PER_SECOND = 10;
/** A member may write sixty times a minute. */
const MEMBERS = 30;
const CONFIRMED_BEFORE = 10;
const MAX_RESTORE_MS = 5 * 60_000;

interface Write {
  userId: string;
  mediaId: string;
  kind: "favorite" | "progress";
}

const folder = await mkdtemp(join(tmpdir(), "peony-drill-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a site that is destroyed comes back with all that it had confirmed before its backup began", async () => {
  const { media, people } = await fillSite();
  const writes = writesOf(media, people);
  const files = await filesIn(config.dataDir);
  const site = await startSite({ dataDir: config.dataDir });
  const load = startLoad(site.origin, {
    perSecond: WRITES_PER_SECOND,
    next: (index) => requestOf(writes[index % writes.length] ?? expect.unreachable("no writes"), people),
  });
  await vi.waitUntil(() => load.answers.filter(({ status }) => status === 200).length >= CONFIRMED_BEFORE, {
    timeout: 120_000,
  });
  const backupAt = performance.now();
  const archive = join(folder, "drill.tar");
  const backup = await runBackupScript("backup", site.databaseUrl, config.dataDir, archive, "--media");
  expect(backup).toMatchObject({ code: 0 });
  const backedUpAt = performance.now();
  await destroySite(site.databaseUrl, config.dataDir);
  const lost = () => load.answers.filter(({ startedAt, status }) => startedAt > backedUpAt && status !== 200);
  await vi.waitUntil(() => lost().length > 0, { timeout: 60_000 });
  const answers = (await load.stop()).toSorted((a, b) => a.startedAt - b.startedAt);
  const confirmed = writes.filter((_, index) => {
    const { status = 0, startedAt = 0, milliseconds = 0 } = answers[index] ?? {};
    return status === 200 && startedAt + milliseconds < backupAt;
  });
  await site.stop();

  const target = await emptyTarget(folder);
  const restoreAt = performance.now();
  const restored = await runBackupScript("restore", target.url, target.dataDir, archive);
  const restoreMs = performance.now() - restoreAt;
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  const found = await writesIn(target.url);
  const restoredFiles = await filesIn(target.dataDir);
  const startAt = performance.now();
  const again = await startSite({ databaseUrl: target.url, dataDir: target.dataDir });
  const startMs = performance.now() - startAt;
  expectFigures({
    rows: { is: Number(/^(\d+) rows/.exec(restored.stdout)?.[1]), atLeast: ROWS },
    confirmedWrites: { is: confirmed.length, atLeast: CONFIRMED_BEFORE },
    confirmedWritesLost: { is: confirmed.filter((write) => !found.has(keyOf(write))).length, exactly: 0 },
    writesUnderBackup: {
      is: answers.filter(({ startedAt }) => startedAt > backupAt && startedAt < backedUpAt).length,
      atLeast: 1,
    },
    writesRefusedAfterTheLoss: { is: lost().length, atLeast: 1 },
    mediaFiles: { is: Object.keys(files).length, atLeast: 50 },
    mediaFilesLost: {
      is: Object.keys(files).filter((key) => files[key] !== restoredFiles[key]).length,
      exactly: 0,
    },
    restoreAndStartMs: { is: Math.round(restoreMs + startMs), atMost: MAX_RESTORE_MS },
    pagesRefused: { is: await refusedPages(again, media, people), exactly: 0 },
  });
}, 900_000);

async function fillSite() {
  await createCreator({ withFiles: true });
  const media: TestMedia[] = [];
  for (let index = 0; index < 10; index += 1) {
    media.push(await (index % 2 ? createPhotoSet : createVideo)({ withFiles: true }));
  }
  const people = new Map<string, string>();
  for (let index = 0; index < MEMBERS; index += 1) {
    const { id } = await createMember();
    await subscribe(id);
    people.set(id, await signedInCookie(id));
  }
  // The site's own connections end a statement that takes as long as this.
  await withConnection(process.env.DATABASE_URL ?? "", async (to) => {
    await to`INSERT INTO users (email)
      SELECT 'reader-' || n || '@example.com' FROM generate_series(1, ${ROWS / 4}) n`;
    await to`INSERT INTO views (user_id, media_id, progress)
      SELECT users.id, media.id, 5 FROM users, (SELECT id FROM media LIMIT 3) media
      WHERE email LIKE 'reader-%'`;
  });
  return { media, people };
}

/** Each pair of a member and a medium once for each kind, members taking turns. */
function writesOf(media: TestMedia[], people: Map<string, string>): Write[] {
  return media.flatMap(({ id: mediaId, type }) =>
    [...people.keys()].flatMap((userId): Write[] => [
      { userId, mediaId, kind: "favorite" },
      ...(type === "video" ? [{ userId, mediaId, kind: "progress" } as const] : []),
    ]),
  );
}

function requestOf({ userId, mediaId, kind }: Write, people: Map<string, string>) {
  const fields = new URLSearchParams(kind === "favorite" ? { isFavorited: "true" } : { progress: "60" });
  fields.set("mediaId", mediaId);
  return {
    path: kind === "favorite" ? paths.api.favorites() : paths.api.views(),
    method: "POST",
    headers: {
      cookie: people.get(userId) ?? "",
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: fields.toString(),
  };
}

function keyOf({ userId, mediaId, kind }: Write): string {
  return `${kind} ${userId} ${mediaId}`;
}

async function writesIn(databaseUrl: string): Promise<Set<string>> {
  const to = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const rows = await to<Write[]>`
    SELECT user_id AS "userId", media_id AS "mediaId", 'favorite' AS kind FROM favorites
    UNION ALL SELECT user_id, media_id, 'progress' FROM views WHERE progress = 60`;
  await to.end();
  return new Set(rows.map(keyOf));
}

/** Requests what a member looks at from a site on the restored copy, signed in as before. */
async function refusedPages(site: Site, media: TestMedia[], people: Map<string, string>): Promise<number> {
  const [cookie = ""] = people.values();
  const own = media.flatMap(({ type, slug, id }) => [
    paths.media(type, slug),
    ...(type === "video" ? [paths.mediaFile(id, "video-360.mp4")] : []),
  ]);
  const pages = ["/readyz", "/", paths.list("video"), paths.favorites(), paths.history(), paths.account()];
  let refused = 0;
  for (const path of [...pages, ...own]) {
    const { status } = await send(site.origin, { path, headers: { cookie } });
    if (status !== 200) refused += 1;
  }
  await site.stop();
  return refused;
}
