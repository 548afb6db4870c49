import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { changeRole } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { listDraftLinks } from "#tests/support/draft-links.ts";
import { createPhotoSet, createVideo, HOST, type TestMedia } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, type TestMember } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;
let adult: string;
beforeAll(async () => {
  site = await startSite({ dataDir: config.dataDir, env: { LOG_LEVEL: "info" } });
  adult = await adultCookie();
});
afterAll(() => site.stop());

const draft = () =>
  createVideo({ status: "draft", title: "Shown early", allowDownload: true, withFiles: true });

async function linkTo({ id }: TestMedia): Promise<{ id: string; token: string }> {
  const made = await makeDraftLink(HOST, id);
  const [link] = await listDraftLinks(id);
  if (made === null || link === undefined) throw new Error("no link");
  return { id: link.id, token: made.token };
}

const look = (path: string, cookie: string) => site.fetch(path, { headers: { cookie } });

const SCRIPT = { id: null, name: "people:role", role: "owner" } as const;
const setUser = (id: string, change: SQL) => db.execute(sql`UPDATE users SET ${change} WHERE id = ${id}`);

/** The cookies of a visitor who has followed the link. */
async function follow(token: string, cookie = adult): Promise<string> {
  const answer = await look(paths.draft(token), cookie);
  const [pair = ""] = answer.headers.get("set-cookie")?.split(";") ?? [];
  return `${cookie}; ${pair}`;
}

const page = (media: TestMedia) => paths.media("video", media.slug);
const video = (media: TestMedia) => paths.mediaFile(media.id, "video-360.mp4");
const cover = (media: TestMedia) => paths.mediaFile(media.id, "cover-480.webp");

async function statuses(media: TestMedia, cookie: string): Promise<number[]> {
  const found = [page(media), video(media), `${video(media)}?download`, cover(media)];
  return Promise.all(found.map(async (path) => (await look(path, cookie)).status));
}

test("a link shows the page and files of its draft like a subscriber's, but no other", async () => {
  const media = await draft();
  const other = await draft();
  expect(await statuses(media, adult)).toEqual([404, 404, 404, 404]);
  const { token } = await linkTo(media);
  const answer = await look(paths.draft(token), adult);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, page(media)]);
  for (const end of [".", ")", "%22"])
    expect((await look(paths.draft(token) + end, adult)).headers.get("location"), end).toBe(page(media));
  expect(answer.headers.get("set-cookie")).toMatch(
    /^draft=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const guest = await follow(token);
  expect(await statuses(media, guest)).toEqual([200, 200, 200, 200]);
  const html = await (await look(page(media), guest)).text();
  expect(html).toContain("This is not public yet.");
  expect(html).not.toContain("/studio/");
  expect(await statuses(other, guest)).toEqual([404, 404, 404, 404]);
  expect((await look(cover(media), guest)).headers.get("cache-control")).toContain("no-store");
  expect((await look(page(media), guest)).headers.get("cache-control")).toContain("no-store");
  // A page that was rendered for a guest is nobody else's.
  expect(await statuses(media, adult)).toEqual([404, 404, 404, 404]);

  const both = await follow((await linkTo(other)).token, guest);
  const jar = `${adult}; ${both.split("; ").at(-1)}`;
  expect(await statuses(media, jar)).toEqual([200, 200, 200, 200]);
  expect(await statuses(other, jar)).toEqual([200, 200, 200, 200]);
});

test("a link opens the photos of a set", async () => {
  const set = await createPhotoSet({ status: "draft", photos: 2, withFiles: true });
  const guest = await follow((await linkTo(set)).token);
  expect((await look(paths.photo(set.slug, 2), guest)).status).toBe(200);
  expect((await look(paths.mediaFile(set.id, "photo-2-480.webp"), guest)).status).toBe(200);
  expect((await look(paths.mediaFile(set.id, "photo-2-480.webp"), adult)).status).toBe(404);

  const member = `${await signedInCookie((await createMember()).id)}; ${guest.split("; ").at(-1)}`;
  const list = await (await look(paths.photoList(set.slug), member)).json();
  expect(list).toMatchObject({
    progressSubject: null,
    photos: [{ isFavorited: null }, { isFavorited: null }],
  });
  for (const path of [paths.photo(set.slug, 2), paths.media("photoSet", set.slug)]) {
    expect(await (await look(path, member)).text()).not.toContain(paths.api.favorites());
  }
});

test("a link shows its video without a heart, because nothing could keep it", async () => {
  const media = await draft();
  const { token } = await linkTo(media);
  const member = await follow(token, await signedInCookie((await createMember()).id));
  for (const guest of [member, await follow(token)]) {
    const html = await (await look(page(media), guest)).text();
    expect(html).toContain("This is not public yet.");
    expect(html).not.toContain(paths.api.favorites());
    expect(html).not.toContain("Sign in to mark as favorite");
  }
});

test("neither a member with a link nor staff who view as somebody else leave progress or a play", async () => {
  const media = await draft();
  const { token } = await linkTo(media);
  const [member, editor] = [await createMember(), await createMember({ role: "editor" })];
  const guest = `${await signedInCookie(member.id)}; ${(await follow(token)).split("; ").at(-1)}`;
  expect(await statuses(media, guest)).toEqual([200, 200, 200, 200]);
  const stop = (path: string, cookie: string) =>
    site.fetch(path, {
      method: "POST",
      headers: { cookie, origin: site.origin },
      body: new URLSearchParams({ stoppedAt: "0:05" }),
    });
  expect((await stop(page(media), guest)).status).toBe(404);
  const viewed = `${page(media)}?as=subscriber`;
  expect((await stop(viewed, await signedInCookie(editor.id))).status).toBe(404);
  const [row] = await db.execute(sql`SELECT play_count AS plays,
    (SELECT count(*)::int FROM views WHERE media_id = media.id) AS views FROM media WHERE id = ${media.id}`);
  expect(row).toEqual({ plays: 0, views: 0 });
});

test("nothing of a draft is shown before the age gate, and the gate leads back to the link", async () => {
  const media = await draft();
  const { token } = await linkTo(media);
  const answer = await look(paths.draft(token), "");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, paths.enter(paths.draft(token))]);
  expect(answer.headers.get("set-cookie") ?? "").not.toContain("draft=");
  const guest = await follow(token);
  const withoutAge = guest.split("; ").at(-1) ?? "";
  expect((await look(video(media), withoutAge)).status).toBe(403);
});

test("a link ends with its next byte when it is revoked, expires, or its item is no longer a draft", async () => {
  const ends: [string, (media: TestMedia, linkId: string) => Promise<unknown>][] = [
    ["revoked", (media, id) => revokeDraftLink(HOST, media.id, id)],
    ["expired", (_, id) => db.execute(sql`UPDATE draft_links SET expires_at = now() WHERE id = ${id}`)],
    [
      "hidden",
      async ({ id }) => {
        await changeState(HOST, id, "publish");
        await changeState(HOST, id, "hide");
      },
    ],
  ];
  for (const [name, end] of ends) {
    const media = await draft();
    const link = await linkTo(media);
    const guest = await follow(link.token);
    expect(await statuses(media, guest), name).toEqual([200, 200, 200, 200]);
    await end(media, link.id);
    expect(await statuses(media, guest), name).toEqual([404, 404, 404, 404]);
    expect((await look(paths.draft(link.token), adult)).status, name).toBe(404);
    expect(await (await look(paths.draft(link.token), adult)).text()).toContain("This link no longer works");
    expect(await listDraftLinks(media.id)).toEqual([]);
  }
});

test("a link ends with its next byte when its maker may no longer edit, and stays ended", async () => {
  const ends: [string, number, (person: TestMember) => Promise<unknown>][] = [
    ["is a member again", 404, ({ email }) => changeRole(SCRIPT, email, "member")],
    ["keeps records only", 404, ({ email }) => changeRole(SCRIPT, email, "records")],
    ["lost the role past the site", 404, ({ id }) => setUser(id, sql`role = 'member'`)],
    ["leaves", 404, ({ id }) => setUser(id, sql`deletion_requested_at = now()`)],
    ["is deleted", 404, ({ id }) => db.execute(sql`DELETE FROM users WHERE id = ${id}`)],
    ["becomes an editor", 200, ({ email }) => changeRole(SCRIPT, email, "editor")],
  ];
  for (const [name, status, end] of ends) {
    const maker = await createMember({ role: "publisher" });
    const [media, other] = [await draft(), await draft()];
    const actor = { id: maker.id, name: maker.email, role: "publisher" } as const;
    const made = await Promise.all([makeDraftLink(actor, media.id), makeDraftLink(actor, other.id)]);
    const { token: others } = await linkTo(media);
    const token = made[0]?.token ?? "";
    const guest = await follow(token);
    expect(await statuses(media, guest), name).toEqual([200, 200, 200, 200]);
    await end(maker);
    expect(await statuses(media, guest), name).toEqual([status, status, status, status]);
    expect((await look(paths.draft(token), adult)).status, name).toBe(status === 200 ? 302 : 404);
    expect((await look(paths.draft(others), adult)).status, name).toBe(302);
    expect(await listDraftLinks(media.id), name).toHaveLength(status === 200 ? 2 : 1);
  }
});

test("the log says how many links a role that was taken has ended, and they stay ended with the next role", async () => {
  const maker = await createMember({ role: "editor" });
  const [media, other] = [await draft(), await draft()];
  const actor = { id: maker.id, name: maker.email, role: "editor" } as const;
  await makeDraftLink(actor, media.id);
  await makeDraftLink(actor, other.id);
  await linkTo(other);
  const expired = await draft();
  await makeDraftLink(actor, expired.id);
  await db.execute(sql`UPDATE draft_links SET expires_at = now() WHERE media_id = ${expired.id}`);
  expect(await listDraftLinks(media.id)).toMatchObject([{ maker: maker.email }]);
  await changeRole(SCRIPT, maker.email, "publisher");
  await changeRole(SCRIPT, maker.email, "member");
  await changeRole(SCRIPT, maker.email, "editor");
  const entries = await db.execute(
    sql`SELECT after FROM audit_log WHERE subject_id = ${maker.id} ORDER BY id`,
  );
  expect(entries.map(({ after }) => after)).toEqual([
    { email: maker.email, role: "publisher" },
    { email: maker.email, role: "member", draftLinks: 2 },
    { email: maker.email, role: "editor" },
  ]);
  expect(await listDraftLinks(media.id)).toEqual([]);
  expect(await listDraftLinks(other.id)).toMatchObject([{ maker: null }]);
});

test("a link that ended with its draft does not open it when it becomes a draft again", async () => {
  const ways: [string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>][] = [
    ["published", (id) => changeState(HOST, id, "publish"), (id) => changeState(HOST, id, "makeDraft")],
    [
      "taken down",
      (id) => changeState(HOST, id, "takeDown", { reason: "A complaint" }),
      (id) => changeState(HOST, id, "bringBack"),
    ],
  ];
  for (const [name, leave, comeBack] of ways) {
    const media = await draft();
    const link = await linkTo(media);
    const guest = await follow(link.token);
    expect(await leave(media.id), name).toMatchObject({ done: true });
    expect(await comeBack(media.id), name).toEqual({ done: true, state: "draft" });
    expect(await statuses(media, guest), name).toEqual([404, 404, 404, 404]);
    expect((await look(paths.draft(link.token), adult)).status, name).toBe(404);
    expect(await listDraftLinks(media.id), name).toEqual([]);
  }
});

test("a cookie that was not signed here, or that names another item, gives no access", async () => {
  const media = await draft();
  const other = await draft();
  const { token } = await linkTo(media);
  const forged = Buffer.from(JSON.stringify({ [media.id]: token })).toString("base64");
  expect(await statuses(media, `${adult}; draft=${encodeURIComponent(forged)}`)).toEqual([
    404, 404, 404, 404,
  ]);
  const { serializeDraft } = await import("#app/web/media/draft-cookie.server.ts");
  const request = new Request("http://localhost/");
  const [swapped] = (await serializeDraft(request, other.id, token)).split(";");
  expect(await statuses(other, `${adult}; ${swapped}`)).toEqual([404, 404, 404, 404]);
});

test.each(["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"])(
  "an address with the inherited name %s does not lead to a file",
  async (name) => {
    const guest = await follow((await linkTo(await draft())).token);
    for (const cookie of [adult, guest]) {
      expect((await look(paths.mediaFile(name, "x"), cookie)).status).toBe(404);
    }
  },
);

test("only a hash of the token is stored, and no token is logged", async () => {
  const media = await draft();
  const { token } = await linkTo(media);
  const guest = await follow(token);
  await look(video(media), guest);
  const rows = await db.execute<{ token_hash: string }>(
    sql`SELECT token_hash FROM draft_links WHERE media_id = ${media.id}`,
  );
  expect(rows.map(({ token_hash }) => token_hash)).toEqual([hashSecret(token)]);
  const entries = await db.execute(sql`SELECT concat(before, after) AS facts FROM audit_log`);
  expect(JSON.stringify([...entries])).not.toContain(token);
  await expect.poll(() => site.output()).toContain("/draft/$token");
  expect(site.output()).not.toContain(token);
});

const sectionIn = (html: string, id: string) => html.split(`<section id="${id}"`)[1]?.split("</section>")[0];

test("an editor makes a link on the page of a draft, which shows it once, and revokes it there", async () => {
  const media = await draft();
  const { id } = await createMember({ role: "editor" });
  const headers = { cookie: await signedInCookie(id), origin: site.origin };
  const send = (fields: Record<string, string>) =>
    site.fetch(paths.studioItemForm(media.id), {
      ...{ method: "POST", headers },
      body: new URLSearchParams(fields),
    });
  const made = await send({ intent: "makeLink" });
  expect([made.status, await made.text()]).toEqual([
    200,
    expect.stringMatching(/value="http:[^"]*\/draft\/[\w-]{43}"/),
  ]);
  const [link] = await listDraftLinks(media.id);
  const page = await (await site.fetch(paths.studioItem(media.id), { headers })).text();
  expect(page).toContain(link?.id);
  expect(page).not.toContain("/draft/");
  const revoked = await send({ intent: "revokeLink", link: link?.id ?? "" });
  expect([revoked.status, revoked.headers.get("location")]).toEqual([303, paths.studioItem(media.id)]);
  expect(await listDraftLinks(media.id)).toEqual([]);
  const cookie = [headers.cookie, ...revoked.headers.getSetCookie().map((set) => set.split(";")[0])].join(
    "; ",
  );
  const after = await (await site.fetch(paths.studioItem(media.id), { headers: { cookie } })).text();
  // Below the forms of its state, which keep what is typed.
  expect(sectionIn(after, "publication")).not.toContain("The draft link is revoked.");
  expect(sectionIn(after, "draftLinks")).toContain("The draft link is revoked.");
  await changeState(HOST, media.id, "takeDown", { reason: "A complaint" });
  const late = await send({ intent: "makeLink" });
  expect(late.status).toBe(422);
  expect(await late.text()).toContain("Only a draft can have a draft link.");
});

test("only editors make links, only for drafts, for seven days, and revoke them as links of their item", async () => {
  const media = await draft();
  const { id, email } = await createMember({ role: "editor" });
  const editor = { id, name: email, role: "editor" } as const;
  const made = await makeDraftLink(editor, media.id);
  const days = ((made?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
  expect(await makeDraftLink({ ...editor, role: "records" }, media.id)).toBeNull();
  const [link] = await listDraftLinks(media.id);
  const revoke = (actor: Actor, mediaId: string) => revokeDraftLink(actor, mediaId, link?.id ?? "");
  expect(await revoke({ ...editor, role: "records" }, media.id)).toBe(false);
  expect(await revoke(editor, (await draft()).id)).toBe(false);
  expect(await revoke(editor, media.id)).toBe(true);
  expect(await revoke(editor, media.id)).toBe(false);
  for (const status of ["scheduled", "published", "hidden", "takenDown", "deleted"] as const) {
    expect(await makeDraftLink(editor, (await createVideo({ status })).id)).toBeNull();
  }
  const audit =
    await db.execute(sql`SELECT action FROM audit_log WHERE subject_kind = 'media' AND subject_id = ${media.id}
    ORDER BY id`);
  expect(audit.map(({ action }) => action)).toEqual(["draftLink.made", "draftLink.revoked"]);
});
