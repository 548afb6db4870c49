import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import type { Access } from "#app/domain/billing/access.ts";
import { storeAvatar } from "#app/domain/media/avatar.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { type Crawled, crawl, dataPath } from "#tests/support/crawl.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const PEOPLE = ["nobody", "no age proof", "visitor", "member", "lapsed", "subscriber"] as const;
type Person = (typeof PEOPLE)[number];

interface StoredFile extends Record<string, unknown> {
  path: string;
  bytes: number;
  hash: string;
  needs: "see" | "preview" | "view";
  access: Access | "own";
  /** Of the media, by its dates too. */
  state: "live" | "hidden" | "withdrawn";
}

/** Written out, and not asked of the code that it checks. */
const MAY_VIEW: Record<StoredFile["access"], readonly Person[]> = {
  free: ["visitor", "member", "lapsed", "subscriber"],
  member: ["member", "lapsed", "subscriber"],
  subscriber: ["subscriber"],
  own: ["member"],
};
const PAST_THE_GATE: readonly Person[] = ["visitor", "member", "lapsed", "subscriber"];
const HIDDEN_TITLE = "Unreleased canary";
const OTHERS_EMAIL = "canary@example.com";

let site: Site;
let avatar: StoredFile;
/** Pages of unreleased work, as somebody who has its slug would ask for them. */
const hiddenPaths: string[] = [];
const cookies = {} as Record<Person, string>;
const crawled = {} as Record<Person, Crawled>;

beforeAll(async () => {
  await fillLibrary();
  await createMember({ email: OTHERS_EMAIL });
  const member = await createMember();
  avatar = await giveAvatar(member.id);
  const lapsed = await createMember();
  await subscribe(lapsed.id, "past_due");
  const subscriber = await createMember();
  await subscribe(subscriber.id, "trialing");
  cookies.nobody = "";
  cookies.visitor = await adultCookie();
  cookies.member = await signedInCookie(member.id);
  cookies.lapsed = await signedInCookie(lapsed.id);
  cookies.subscriber = await signedInCookie(subscriber.id);
  cookies["no age proof"] = cookies.subscriber.split("; ")[0] ?? "";
  site = await startSite({ dataDir: config.dataDir });
  for (const person of PEOPLE) crawled[person] = await crawl(site, cookies[person]);
}, 120_000);
afterAll(() => site.stop());

test.each(PEOPLE)(
  "no address that %s meets is dead, and no file is named that they may not have",
  async (person) => {
    const { answers, media } = crawled[person];
    expect([...answers].filter(([, status]) => status >= 400)).toEqual([]);
    const refused: string[] = [];
    for (const path of media) {
      const { status } = await site.fetch(path, { method: "HEAD", headers: { cookie: cookies[person] } });
      if (status !== 200) refused.push(`${status} ${path}`);
    }
    expect(refused).toEqual([]);
  },
);

test("the crawl meets pages, covers, portraits, films and photos, and nothing of them before the gate", () => {
  const kinds = ["cover-", "blur-", "portrait-", "video-360.mp4", "photo-2-"];
  const met = (person: Person) =>
    kinds.filter((kind) => [...crawled[person].media].some((path) => path.includes(kind)));
  expect(met("subscriber")).toEqual(kinds);
  expect(met("member")).toEqual(kinds);
  expect(crawled.member.media).toContain(avatar.path);
  expect(crawled.nobody.media).toEqual(new Set());
  expect(crawled["no age proof"].media).toEqual(new Set());
});

test.each(PEOPLE)("nothing sent to %s tells of unreleased work or of other people", async (person) => {
  const { text } = crawled[person];
  for (const path of hiddenPaths) {
    const page = await site.fetch(path, { headers: { cookie: cookies[person] } });
    expect(await page.text(), path).not.toContain(HIDDEN_TITLE);
  }
  expect(text).not.toContain(HIDDEN_TITLE);
  expect(text).not.toContain("unreleased-canary");
  expect(text).not.toContain(OTHERS_EMAIL);
  for (const cookie of Object.values(cookies).filter(Boolean)) {
    expect(text).not.toContain(cookie.split("; ")[0]?.split("=")[1]);
  }
});

test.each(PEOPLE)("%s gets every byte the rule gives and none that it does not", async (person) => {
  const files = [...(await listStoredFiles()), avatar];
  const known = new Set(files.map(({ path }) => path));
  const everMet = PEOPLE.flatMap((one) => [...crawled[one].media].map((path) => path.split("?")[0] ?? ""));
  expect(everMet.filter((path) => !known.has(path))).toEqual([]);

  const answers: Record<string, string[]> = {};
  const rule: Record<string, string[]> = {};
  for (const file of files) {
    const key = `${file.path} (${file.state}, ${file.access}, ${file.needs})`;
    rule[key] = expected(person, file);
    answers[key] = await Promise.all([
      ask(file, person, {}),
      ask(file, person, { range: "bytes=0-2" }),
      ask(file, person, { "if-none-match": `"${file.hash}"` }),
      ask(file, person, { range: "bytes=-1", "if-range": `"${file.hash}"` }),
      ask(file, person, {}, "HEAD"),
    ]);
  }
  expect(answers).toEqual(rule);
});

/** Whole, range, unchanged, joined range and HEAD: status, bytes of body, length told, whether a cache may keep it. */
function expected(person: Person, file: StoredFile): string[] {
  const refusal = refusalOf(person, file);
  if (refusal !== null) return Array<string>(5).fill(`${refusal} 0 of 0, private, no-store`);
  const cache =
    file.needs === "see" ? "private, max-age=3600, no-transform" : "private, no-store, no-transform";
  return [
    `200 ${file.bytes} of ${file.bytes}, ${cache}`,
    `206 3 of 3, ${cache}`,
    `304 0 of 0, ${cache}`,
    `206 1 of 1, ${cache}`,
    `200 0 of ${file.bytes}, ${cache}`,
  ];
}

function refusalOf(person: Person, { state, needs, access }: StoredFile): number | null {
  if (!PAST_THE_GATE.includes(person)) return 403;
  if (state === "withdrawn") return 410;
  if (state === "hidden") return 404;
  return needs === "view" && !MAY_VIEW[access].includes(person) ? 403 : null;
}

async function ask(
  file: StoredFile,
  person: Person,
  headers: Record<string, string>,
  method = "GET",
  retries = 5,
): Promise<string> {
  const response = await site.fetch(file.path, { method, headers: { cookie: cookies[person], ...headers } });
  if (response.status === 429 && retries > 0) {
    await sleep(Number(response.headers.get("retry-after")) * 1000);
    return ask(file, person, headers, method, retries - 1);
  }
  const body = (await response.arrayBuffer()).byteLength;
  const told = response.headers.get("content-length") ?? 0;
  return `${response.status} ${body} of ${told}, ${response.headers.get("cache-control")}`;
}

async function listStoredFiles(): Promise<StoredFile[]> {
  const rows = await db.execute<StoredFile>(sql`
    SELECT '/media/' || f.media_id || '/' || f.name AS path, f.bytes::int AS bytes, f.sha256 AS hash, f.needs, m.access,
      CASE WHEN m.status = 'withdrawn' THEN 'withdrawn'
        WHEN m.status <> 'published' OR m.publish_at > now() OR m.expire_at <= now() THEN 'hidden'
        ELSE 'live' END AS state
    FROM media_files f JOIN media m ON m.id = f.media_id
    UNION ALL
    SELECT '/media/creators/' || creator_id || '/' || name, bytes::int, sha256, 'see', 'free', 'live'
    FROM creator_files`);
  return [...rows];
}

async function fillLibrary(): Promise<void> {
  const creator = await createCreator({ withFiles: true });
  const common = { creators: [creator.id], tags: ["Silk"], withFiles: true };
  for (const access of ["free", "member", "subscriber"] as const) {
    await createVideo({ ...common, access });
    await createPhotoSet({ ...common, access, previews: 1, photos: 2 });
  }
  const hidden = { ...common, access: "free" as const, title: HIDDEN_TITLE };
  const later = { publishAt: new Date(Date.now() + 3_600_000), previews: 1 };
  const over = { expireAt: new Date(Date.now() - 1_000), previews: 1 };
  const works = [
    await createVideo({ ...hidden, status: "withdrawn" }),
    await createVideo({ ...hidden, status: "draft" }),
    await createVideo({ ...hidden, status: "scheduled" }),
    await createVideo({ ...hidden, status: "review" }),
    await createPhotoSet({ ...hidden, ...later }),
    await createPhotoSet({ ...hidden, ...over }),
  ];
  for (const { type, slug } of works) {
    const page = paths.media(type, slug);
    hiddenPaths.push(page, dataPath(page), ...(type === "photoSet" ? [paths.photo(slug, 1)] : []));
  }
}

async function giveAvatar(userId: string): Promise<StoredFile> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808" } })
    .png()
    .toBuffer();
  const version = await storeAvatar(userId, png);
  const path = paths.avatar(userId, version);
  await saveAvatarUrl(userId, path);
  const { size } = await stat(join(config.media.dir, "avatars", userId, `${version}.webp`));
  return { path, bytes: size, hash: version, needs: "view", access: "own", state: "live" };
}
