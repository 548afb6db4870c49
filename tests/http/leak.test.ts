import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/access/access.ts";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { claimFileVersion, replaceFiles } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { makeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { storeAvatar } from "#app/domain/media/avatar.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { saveSiteSection } from "#app/domain/site/edit-site.server.ts";
import { listPicture, storePicture } from "#app/domain/site/site-files.server.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import { makePartsFolder, partPath, stageFiles } from "#app/domain/uploads/staged-files.server.ts";
import { LOOSE_FILES } from "#app/domain/uploads/upload-limits.ts";
import { paths } from "#app/paths.ts";
import { serializeDraft } from "#app/web/media/draft-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { type Crawled, crawl, dataPath } from "#tests/support/crawl.ts";
import { liftRateLimits } from "#tests/support/database/lift-rate-limits.ts";
import { type FrontSite, startFrontSite } from "#tests/support/front/front-site.ts";
import { fillLibrary, HIDDEN_TEXTS, HIDDEN_WORDS } from "#tests/support/html/hidden-library.ts";
import { createEncoded, createOriginal, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { leaveOutPhoto } from "#tests/support/photo-order.ts";
import type { Site } from "#tests/support/site.ts";

const PEOPLE = ["nobody", "no age proof", "visitor", "guest", "member", "lapsed", "subscriber"] as const;
type Person = (typeof PEOPLE)[number];
/** The same site, asked past nginx and through it. */
const ENTRANCES = ["the site", "nginx"] as const;
type Entrance = (typeof ENTRANCES)[number];

interface StoredFile extends Record<string, unknown> {
  path: string;
  bytes: number;
  hash: string;
  needs: "see" | "preview" | "view" | "edit";
  access: Access | "own";
  /** The state of the media, by status and dates; "replaced" for a file more than a day ago; "public" for the pictures of the site itself, outside the gate. */
  state: "live" | "hidden" | "takenDown" | "linked" | "public" | "replaced";
}

/** These rules are written out, because they check the code that implements them. */
const MAY_VIEW: Record<StoredFile["access"], readonly Person[]> = {
  free: ["visitor", "guest", "member", "lapsed", "subscriber"],
  member: ["member", "lapsed", "subscriber"],
  subscriber: ["subscriber"],
  own: ["member"],
};
const PAST_THE_GATE: readonly Person[] = ["visitor", "guest", "member", "lapsed", "subscriber"];
const SIGNED_IN = ["member", "lapsed", "subscriber"] as const;
const OTHERS_EMAIL = "canary@example.com";

const ORIGINAL = Buffer.from("a canary in the file as it was imported");
const UPLOAD = Buffer.from("a canary in a file that is on its way");
/** The cookie of the person whose upload it is. */
let uploader: string;
/** The roles with the right `media.original`, and those without it. */
const STAFF = { editor: false, publisher: true, records: false, owner: true } as const;
type StaffRole = keyof typeof STAFF;

const EVERYBODY = ENTRANCES.flatMap((entrance) => PEOPLE.map((person) => [entrance, person] as const));

let front: FrontSite;
const sites = {} as Record<Entrance, Site>;
let avatar: StoredFile;
let logo: StoredFile;
/** Addresses at which somebody may look for an original; the first is the studio's own. */
let originalPaths: [string, ...string[]];
/** The studio's own address of the original of an item that is taken down. */
let takenDownOriginal: string;
/** Addresses at which somebody may look for what has arrived of an editor's upload; the first is the editor's own. */
let uploadPaths: string[];
const staffCookies = {} as Record<StaffRole, string>;
let hiddenIds: string[];
let hiddenPaths: string[];
/** A draft to which the guest, and nobody else, has a link. */
let linkedId: string;
/** A set that nobody may download. */
let keptId: string;
const cookies = {} as Record<Person, string>;
/** What each person finds through nginx, which passes on the site's pages as they are. */
const crawled = {} as Record<Person, Crawled>;

beforeAll(async () => {
  await liftRateLimits();
  ({ hiddenIds, hiddenPaths } = await fillLibrary());
  ({ id: linkedId } = await createPhotoSet({ status: "draft", photos: 3, previews: 1, withFiles: true }));
  const link = await makeDraftLink(HOST, linkedId);
  const allVideos = await db.execute<{ id: string }>(
    sql`SELECT id FROM media WHERE type = 'video' AND status <> 'deleted'`,
  );
  for (const { id } of allVideos) await createEncoded(id);
  await replaceSome();
  await db.execute(sql`UPDATE media SET allow_download = true WHERE type = 'photoSet'`);
  ({ id: keptId } = await createPhotoSet({ access: "free", photos: 2, withFiles: true }));
  // An item that everybody may view: nothing but the rule of originals keeps it from them.
  const open = await createPhotoSet({
    ...{ access: "free", photos: 2, previews: 1, allowDownload: true, withFiles: true },
  });
  const original = await createOriginal(open.id, ORIGINAL, { photo: 2, fileName: "original.jpg" });
  const gone = await createVideo({ status: "takenDown", access: "free" });
  takenDownOriginal = (await createOriginal(gone.id, ORIGINAL)).path;
  originalPaths = [
    original.path,
    `${original.path}.data`,
    `${original.path}?as=subscriber`,
    `${original.path}?download`,
    `/media/${open.id}/2`,
    `/media/${open.id}/original.jpg`,
    `/media/${original.storageKey}`,
    `/media/x/../${original.storageKey}`,
    `/_file/${original.storageKey}`,
    `/site/${original.storageKey}`,
    takenDownOriginal,
  ];
  for (const role of Object.keys(STAFF) as StaffRole[]) {
    staffCookies[role] = await signedInCookie((await createMember({ role })).id);
  }
  uploadPaths = await leaveUpload(await createMember({ role: "editor" }));
  await createMember({ email: OTHERS_EMAIL });
  const member = await createMember();
  avatar = await giveAvatar(member.id);
  logo = await giveLogo();
  const lapsed = await createMember();
  await subscribe(lapsed.id, "past_due");
  const subscriber = await createMember();
  await subscribe(subscriber.id, "trialing");
  cookies.nobody = "";
  cookies.visitor = await adultCookie();
  const [linkCookie] = (
    await serializeDraft(new Request("http://localhost/"), linkedId, link?.token ?? "")
  ).split(";");
  cookies.guest = `${await adultCookie()}; ${linkCookie}`;
  cookies.member = await signedInCookie(member.id);
  cookies.lapsed = await signedInCookie(lapsed.id);
  cookies.subscriber = await signedInCookie(subscriber.id);
  // All of them viewed and favorited each item while it was visible.
  for (const { id: userId } of [member, lapsed, subscriber]) {
    for (const mediaId of hiddenIds) {
      await db.insert(views).values({ userId, mediaId, progress: 1 });
      await db.insert(favorites).values({ userId, mediaId });
    }
  }
  cookies["no age proof"] = cookies.subscriber.split("; ")[0] ?? "";
  front = await startFrontSite({}, { dataDir: config.dataDir });
  sites.nginx = front;
  sites["the site"] = front.direct;
  // A subscriber's files must not reach the others by way of nginx.
  for (const person of PEOPLE.toReversed()) crawled[person] = await crawl(sites.nginx, cookies[person]);
}, 480_000);
afterAll(() => front.stop());

test.each(PEOPLE)(
  "no address that %s finds is dead or names a file that they may not have",
  async (person) => {
    const { answers, media } = crawled[person];
    expect([...answers].filter(([, status]) => status >= 400)).toEqual([]);
    const refused: string[] = [];
    for (const path of media) {
      const headers = { cookie: cookies[person] };
      const { status } = await front.fetch(path, { method: "HEAD", headers });
      if (status !== 200) refused.push(`${status} ${path}`);
    }
    expect(refused).toEqual([]);
  },
);

test("a crawl finds pages, covers, portraits, videos and photos, but none before the age gate", () => {
  const kinds = [
    ...["cover-", "blur-", "portrait-", "video-360.mp4", "photo-2-"],
    ...["master.m3u8", "rung-360.m3u8", "sprite.vtt", "hover.mp4", "trailer.mp4", "trailer-hover.mp4"],
  ];
  const met = (person: Person) =>
    kinds.filter((kind) => [...crawled[person].media].some((path) => path.includes(kind)));
  // Only people who may not watch a video are shown its trailer.
  expect(met("subscriber")).toEqual(kinds.filter((kind) => !kind.startsWith("trailer")));
  expect(met("member")).toEqual(kinds);
  expect(crawled.member.media).toContain(avatar.path);
  expect(crawled.nobody.media).toEqual(new Set());
  expect(crawled["no age proof"].media).toEqual(new Set());
});

test.each(PEOPLE)("nginx passes on the pages and data that the site sends %s", async (person) => {
  const addresses = async (site: Site, path: string) => {
    const answer = await site.fetch(path, { headers: { cookie: cookies[person] } });
    const found = (await answer.text()).match(/(?:href|src|action)="\/[^"]*"|\/(?:media|content)\/[\w/-]+/g);
    return [answer.status, [...new Set(found)].toSorted()];
  };
  for (const path of ["/", "/content/video", "/content/photoSet", "/user/history"]) {
    for (const one of [path, dataPath(path)]) {
      expect(await addresses(sites["the site"], one), one).toEqual(await addresses(sites.nginx, one));
    }
  }
});

test.each(PEOPLE)("nothing sent to %s reveals unreleased media or other people", async (person) => {
  const { text } = crawled[person];
  for (const path of hiddenPaths) {
    const page = await front.fetch(path, { headers: { cookie: cookies[person] } });
    const sent = await page.text();
    for (const hidden of HIDDEN_TEXTS.filter((one) => !path.includes(one))) {
      expect(sent.includes(hidden), `${path} tells ${hidden}`).toBe(false);
    }
  }
  for (const hidden of HIDDEN_TEXTS) expect(text.includes(hidden), hidden).toBe(false);
  expect(text).not.toContain(OTHERS_EMAIL);
  for (const cookie of Object.values(cookies).filter(Boolean)) {
    expect(text).not.toContain(cookie.split("; ")[0]?.split("=")[1]);
  }
});

test.each(SIGNED_IN)("%s gets a tombstone for each hidden item and none of its pictures", (person) => {
  const { text, answers, media } = crawled[person];
  for (const path of ["/user/history", "/user/favorites"]) {
    expect([answers.get(path), answers.get(dataPath(path))]).toEqual([200, 200]);
  }
  for (const id of hiddenIds) {
    expect(text).toContain(id);
    expect([...media].filter((path) => path.includes(id))).toEqual([]);
  }
});

test.each(SIGNED_IN)("no search by %s reveals a word of a hidden item", async (person) => {
  const search = async (path: string) => {
    const page = await front.fetch(dataPath(path), { headers: { cookie: cookies[person] } });
    const sent = (await page.text()).replace(/"sessionExpiresIn\\?",[\d.]+/, "");
    return [page.status, sent] as const;
  };
  for (const list of ["/content/video", "/content/photoSet", "/creators", "/user/favorites"]) {
    for (const word of HIDDEN_WORDS) {
      const other = "z".repeat(word.length);
      const [status, sent] = await search(`${list}?q=${word}&exact=1`);
      expect([status, sent.replaceAll(word, other)], `${list} ${word}`).toEqual(
        await search(`${list}?q=${other}&exact=1`),
      );
    }
  }
});

test.each(EVERYBODY)(
  "behind %s, %s gets every byte that the access rule allows and no other",
  async (entrance, person) => {
    const ask = fetchAt.bind(null, sites[entrance]);
    const files = [...(await listStoredFiles()), avatar, logo];
    const known = new Set(files.map(({ path }) => path));
    const everMet = PEOPLE.flatMap((one) => [...crawled[one].media].map((path) => path.split("?")[0] ?? ""));
    // These are no files; the tests below ask for them.
    const isArchive = (path: string) => path.endsWith("/photos.zip");
    const isComputed = (path: string) => isArchive(path) || path.endsWith("/master.m3u8");
    expect(everMet.filter((path) => !known.has(path) && !isComputed(path))).toEqual([]);
    expect(everMet.some(isArchive)).toBe(true);

    const answers: Record<string, string[]> = {};
    const rule: Record<string, string[]> = {};
    const tried = new Set<string>();
    for (const file of files) {
      const key = `${file.path} (${file.state}, ${file.access}, ${file.needs})`;
      // Past nginx every file is fetched. Of those with the same rule and kind, one is tried through nginx and in all ways.
      const kind = file.path.replace(/.*\//, "").replaceAll(/\d+|\.(?:avif|webp|jpe?g)$/g, "");
      const likeness = `${file.state} ${file.access} ${file.needs} ${kind}`;
      const isFirst = !tried.has(likeness);
      tried.add(likeness);
      if (!isFirst && entrance === "nginx") continue;
      // nginx then holds a yes, which must not be anybody else's.
      if (entrance === "nginx") await ask(file, file.state === "linked" ? "guest" : "subscriber", {});
      const wholeAnswer = await ask(file, person, {});
      const [whole = "", ...others] = expected(person, file, entrance);
      rule[key] = isFirst ? [whole, ...others] : [whole];
      answers[key] = [wholeAnswer];
      if (!isFirst) continue;
      answers[key].push(
        ...(await Promise.all([
          ask(file, person, { range: "bytes=0-2" }),
          ask(file, person, { "if-none-match": `"${file.hash}"` }),
          ask(file, person, { range: "bytes=-1", "if-range": `"${file.hash}"` }),
          ask(file, person, {}, "HEAD"),
        ])),
      );
    }
    expect(answers).toEqual(rule);
  },
  120_000,
);

test.each(EVERYBODY)(
  "behind %s, %s gets a video's master playlist only with its ladder",
  async (entrance, person) => {
    const playlists = (await listStoredFiles()).filter(({ path }) => path.endsWith("/rung-360.m3u8"));
    expect(playlists.length).toBeGreaterThan(5);
    for (const playlist of playlists) {
      const [, , mediaId = ""] = playlist.path.split("/");
      const refusal = refusalOf(person, playlist);
      for (const query of ["", "?audio=de&h=360"]) {
        const answer = await sites[entrance].fetch(paths.mediaMaster(mediaId) + query, {
          headers: { cookie: cookies[person] },
        });
        const body = await answer.text();
        expect([answer.status, body.includes(playlist.path)], playlist.path + query).toEqual(
          refusal === null ? [200, true] : [refusal, false],
        );
        const [, first] = /LANGUAGE="(\w+)",DEFAULT=YES/.exec(body) ?? [];
        if (refusal === null) expect(first).toBe(query === "" ? "en" : "de");
        else expect(body).toBe("");
      }
    }
  },
);

test.each(EVERYBODY)(
  "behind %s, %s gets all photos of a set at once only where the host allows it and the rule allows each",
  async (entrance, person) => {
    const firsts = (await listStoredFiles()).filter(({ path }) => /\/photo-2-\d+\.webp$/.test(path));
    expect(firsts.length).toBeGreaterThan(5);
    for (const photo of firsts) {
      const [, , mediaId = ""] = photo.path.split("/");
      const answer = await sites[entrance].fetch(paths.mediaArchive(mediaId), {
        headers: { cookie: cookies[person] },
      });
      const refusal = refusalOf(person, { ...photo, needs: "view" }) ?? (mediaId === keptId ? 403 : null);
      const bytes = (await answer.arrayBuffer()).byteLength;
      expect([answer.status, bytes > 0], photo.path).toEqual(
        refusal === null ? [200, true] : [refusal, false],
      );
    }
  },
);

test.each(EVERYBODY)("behind %s, %s gets no byte of an original at any address", async (entrance, person) => {
  // nginx then holds a yes, which must not be anybody else's.
  const owner = { cookie: staffCookies.owner };
  expect((await sites[entrance].fetch(originalPaths[0], { headers: owner })).status).toBe(200);
  for (const path of originalPaths) {
    for (const range of ["bytes=0-", "bytes=0-5"]) {
      const headers = { cookie: cookies[person], range };
      const answer = await sites[entrance].fetch(path, { headers });
      expect([answer.status < 300, await answer.text()], path).toEqual([
        false,
        expect.not.stringContaining("canary"),
      ]);
    }
  }
});

test.each(
  ENTRANCES.flatMap((entrance) =>
    (Object.keys(STAFF) as StaffRole[]).map((role) => [entrance, role] as const),
  ),
)(
  "behind %s, only the role decides whether staff get an original at the studio's address: %s",
  async (entrance, role) => {
    const [own, ...others] = originalPaths;
    const ask = async (path: string) => {
      const answer = await sites[entrance].fetch(path, { headers: { cookie: staffCookies[role] } });
      return [answer.status, (await answer.text()) === ORIGINAL.toString()];
    };
    expect(await ask(own)).toEqual(STAFF[role] ? [200, true] : [404, false]);
    for (const path of others.filter((one) => !one.startsWith("/studio/"))) {
      expect([path, ...(await ask(path))]).toEqual([path, 404, false]);
    }
    expect(await ask(takenDownOriginal)).toEqual([STAFF[role] ? 410 : 404, false]);
  },
);

test.each(EVERYBODY)("behind %s, %s gets no byte of an upload at any address", async (entrance, person) => {
  await expectNoUpload(sites[entrance], cookies[person]);
});

test.each(
  ENTRANCES.flatMap((entrance) =>
    ([...(Object.keys(STAFF) as StaffRole[]), "uploader"] as const).map((who) => [entrance, who] as const),
  ),
)("behind %s, no right of the studio reads an upload: %s", async (entrance, who) => {
  await expectNoUpload(sites[entrance], who === "uploader" ? uploader : staffCookies[who]);
});

async function expectNoUpload(site: Site, cookie: string): Promise<void> {
  for (const path of uploadPaths) {
    const requests: Record<string, string>[] = [{}, { range: "bytes=0-5" }, { "tus-resumable": "1.0.0" }];
    for (const headers of requests) {
      const answer = await site.fetch(path, { headers: { cookie, ...headers } });
      expect([answer.status < 400, await answer.text()], path).toEqual([
        false,
        expect.not.stringContaining("canary"),
      ]);
    }
  }
}

/**
 * The responses to a full, range, conditional, If-Range and HEAD request: status, body bytes, Content-Length, and
 * Cache-Control.
 */
function expected(person: Person, file: StoredFile, entrance: Entrance): string[] {
  const refusal = refusalOf(person, file);
  if (refusal !== null) return Array<string>(5).fill(`${refusal} 0 of 0, private, no-store`);
  const cache = cacheOf(file);
  const whole = `200 ${file.bytes} of ${file.bytes}, ${cache}`;
  // Without nginx, parts are sent below /media/ alone.
  const isWhole = file.state === "public" && entrance === "the site";
  return [
    whole,
    isWhole ? whole : `206 3 of 3, ${cache}`,
    `304 0 of 0, ${cache}`,
    isWhole ? whole : `206 1 of 1, ${cache}`,
    `200 0 of ${file.bytes}, ${cache}`,
  ];
}

function cacheOf({ needs, state }: StoredFile): string {
  if (state === "public") return "public, max-age=31536000, immutable, no-transform";
  return needs === "see" && state === "live"
    ? "private, max-age=3600, no-transform"
    : "private, no-store, no-transform";
}

function refusalOf(person: Person, { state, needs, access }: StoredFile): number | null {
  if (state === "public") return null;
  if (!PAST_THE_GATE.includes(person)) return 403;
  if (state === "takenDown") return 410;
  if (state === "hidden" || state === "replaced" || needs === "edit") return 404;
  if (state === "linked") return person === "guest" ? null : 404;
  return needs === "view" && !MAY_VIEW[access].includes(person) ? 403 : null;
}

/** One file has come in part, and another was staged for the import. Returns where somebody may look for them. */
async function leaveUpload({ id: userId }: { id: string }): Promise<string[]> {
  uploader = await signedInCookie(userId);
  const names = ["a.jpg", "b.jpg"];
  const chosen = names.map((path) => ({ path, bytes: 2 * UPLOAD.length, fingerprint: "" }));
  const declared = await declareBatch(userId, chosen);
  if ("problem" in declared) throw new Error(declared.problem);
  const { uploads } = declared;
  const [batchId = ""] = declared.batchIds;
  await makePartsFolder(batchId);
  const [coming, moved] = uploads.map(({ id }) => id);
  for (const { id } of uploads) await writeFile(partPath(batchId, id), UPLOAD);
  await stageFiles(batchId, [{ id: moved ?? "", path: "b.jpg" }]);
  await db.execute(sql`UPDATE uploads SET received_bytes = ${UPLOAD.length}`);
  const keys = [
    `.uploads/${batchId}/parts/${coming}`,
    `.uploads/${batchId}/chosen/loose/${encodeURIComponent(LOOSE_FILES)}/b.jpg`,
  ];
  for (const key of keys) await stat(join(config.media.dir, decodeURIComponent(key)));
  const folders = [
    "/media",
    "/media/media",
    "/media/x/%2e%2e",
    "/_file",
    "/_file/media",
    "/site",
    "/site/x/%2e%2e/media",
  ];
  return [
    ...[coming, moved].flatMap((id) => [paths.studioUploadFiles(id), `${paths.studioUploadFiles(id)}.data`]),
    ...keys.flatMap((key) => folders.map((folder) => `${folder}/${key}`)),
    ...keys.map((key) => `/${key}`),
    ...uploads.map(({ id }) => `/media/${id}`),
  ];
}

/** Replaces the files of each video and of each first photo, some of them long ago, and leaves a photo of each large set out. */
async function replaceSome(): Promise<void> {
  const rows = await db.execute<{ mediaId: string; name: string; contentType: string }>(sql`
    SELECT f.media_id AS "mediaId", f.name, f.content_type AS "contentType" FROM media_files f JOIN media m ON m.id = f.media_id
    WHERE m.status <> 'deleted' AND f.name ~ '^(video|cover|blur|photo-1)-'`);
  for (const mediaId of new Set(rows.map((row) => row.mediaId))) {
    const version = (await claimFileVersion(mediaId)) ?? 0;
    const own = rows.filter((row) => row.mediaId === mediaId);
    const files = await Promise.all(
      own.map((row) =>
        storeMediaFile(Buffer.from(`new ${row.name}`), { ...row, version, needs: needsOf(row.name) }),
      ),
    );
    await db.transaction((tx) => replaceFiles(tx, mediaId, files));
  }
  await db.execute(sql`UPDATE media_files SET retired_at = now() - interval '25 hours'
    WHERE retired_at IS NOT NULL AND name LIKE '%.avif'`);
  const thirds = await db.execute<{ id: string; mediaId: string }>(sql`
    SELECT id, media_id AS "mediaId" FROM photos p WHERE number = 3`);
  expect(thirds.length).toBeGreaterThan(3);
  for (const { id, mediaId } of thirds) expect(await leaveOutPhoto(HOST, mediaId, id)).toBeNull();
}

function needsOf(name: string): "see" | "view" {
  return name.startsWith("cover") || name.startsWith("blur") ? "see" : "view";
}

async function fetchAt(
  site: Site,
  file: StoredFile,
  person: Person,
  headers: Record<string, string>,
  method = "GET",
  retries = 5,
): Promise<string> {
  const response = await site.fetch(file.path, { method, headers: { cookie: cookies[person], ...headers } });
  if (response.status === 429 && retries > 0) {
    await sleep(Number(response.headers.get("retry-after")) * 1000);
    return fetchAt(site, file, person, headers, method, retries - 1);
  }
  const body = (await response.arrayBuffer()).byteLength;
  const length = response.headers.get("content-length") ?? 0;
  return `${response.status} ${body} of ${length}, ${response.headers.get("cache-control")}`;
}

async function listStoredFiles(): Promise<StoredFile[]> {
  const rows = await db.execute<StoredFile>(sql`
    SELECT concat_ws('/', '/media', f.media_id, NULLIF(f.version, 0), f.name) AS path, f.bytes::int AS bytes, f.sha256 AS hash, f.needs, m.access,
      CASE WHEN f.retired_at <= now() - interval '24 hours' THEN 'replaced'
        WHEN m.id = ${linkedId} THEN 'linked'
        WHEN m.status IN ('takenDown', 'deleted') THEN 'takenDown'
        WHEN m.status <> 'published' OR m.publish_at > now() OR m.expire_at <= now() THEN 'hidden'
        ELSE 'live' END AS state
    FROM media_files f JOIN media m ON m.id = f.media_id
    UNION ALL
    SELECT '/media/creators/' || creator_id || '/' || name, bytes::int, sha256, 'see', 'free',
      CASE WHEN EXISTS (SELECT FROM media_creators mc JOIN media m ON m.id = mc.media_id
        WHERE mc.creator_id = f.creator_id AND m.status = 'published' AND m.publish_at <= now()
          AND (m.expire_at IS NULL OR m.expire_at > now())) THEN 'live' ELSE 'hidden' END
    FROM creator_files f`);
  return [...rows];
}

/** A logo that is chosen, so that it is on every page. */
async function giveLogo(): Promise<StoredFile> {
  const png = await sharp({ create: { width: 200, height: 50, channels: 3, background: "#808" } })
    .png()
    .toBuffer();
  const version = await storePicture("logo", png);
  expect(await saveSiteSection(HOST, "logo", versionOf({ logo: "" }), { logo: version })).toEqual({
    saved: true,
  });
  const [file] = await listPicture("logo", version);
  const path = paths.siteFile(version, "logo.png");
  const { bytes = 0, sha256: hash = "" } = file ?? {};
  return { path, bytes, hash, needs: "see", access: "free", state: "public" };
}

async function giveAvatar(userId: string): Promise<StoredFile> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808" } })
    .png()
    .toBuffer();
  const version = await storeAvatar(userId, png);
  const path = paths.avatar(userId, version);
  await saveAvatarUrl(userId, path);
  const stored = await mediaStorage.head(`avatars/${userId}/${version}.webp`);
  return { path, bytes: stored?.bytes ?? 0, hash: version, needs: "view", access: "own", state: "live" };
}
