import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { BODY_LIMITS } from "#app/web/forms/form-body.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { type EditedPhoto, photosOf } from "#tests/support/photo-order.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** An editor's browser, without JavaScript. */
async function editor() {
  const member = await createMember({ role: "editor" });
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(member.id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return { jar, ...member };
}

function form(fields: [name: string, value: string | File][]): FormData | URLSearchParams {
  if (fields.every(([, value]) => typeof value === "string")) {
    return new URLSearchParams(fields as [string, string][]);
  }
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

function send(jar: Jar, path: string, fields: [name: string, value: string | File][]): Promise<Response> {
  return jar.visit(path, { method: "POST", body: form(fields), headers: { Origin: site.origin } });
}

const picture = await sharp({ create: { width: 800, height: 1000, channels: 3, background: "#225588" } })
  .png()
  .toBuffer();

const textOf = (html: string) => html.replaceAll(/<!--.*?-->/g, "");
const fieldIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

async function chaptersOf(id: string): Promise<unknown> {
  const [row] = await db.execute<{ markers: unknown }>(
    sql`SELECT markers FROM videos WHERE media_id = ${id}`,
  );
  return row?.markers;
}

test("chapters are saved as rows of time and title, and a row without a time keeps what was typed", async () => {
  const { jar } = await editor();
  const { id } = await createVideo({ durationSeconds: 100 });
  const path = paths.studioItemPart(id, "chapters");
  const version = fieldIn(await (await jar.visit(path)).text(), "version");
  const rows = (...typed: [time: string, title: string][]) => [
    ["version", version] as [string, string],
    ...typed.flatMap(([time, title]): [string, string][] => [
      ["chapters", time],
      ["titles", title],
    ]),
  ];
  const refused = await send(jar, path, rows(["", ""], ["soon", "Later"], ["0:05", "Early"], ["", ""]));
  const page = textOf(await refused.text());
  expect(refused.status).toBe(422);
  expect(page).toContain("Chapter 2 needs a time such as");
  expect(page).toMatch(/value="soon".*value="Later".*value="0:05".*value="Early"/);
  expect(await chaptersOf(id)).toEqual([]);

  const saved = await send(jar, path, rows(["0:30.5", "Late"], ["", ""], ["0:05", "Early"]));
  expect([saved.status, saved.headers.get("location")]).toEqual([303, path]);
  const chapters = [
    { atSeconds: 5, title: "Early" },
    { atSeconds: 30.5, title: "Late" },
  ];
  expect(await chaptersOf(id)).toEqual(chapters);
  const after = await (await jar.visit(path)).text();
  expect(after).toContain("The chapters are saved.");
  expect(textOf(after)).toContain("Title of chapter 3");
  expect(await (await jar.visit(path)).text()).not.toContain("The chapters are saved.");
});

test("chapters that somebody else has saved are shown beside one's own, and an old sign-in saves none", async () => {
  const [{ jar, id: userId }, other] = [await editor(), await editor()];
  const { id } = await createVideo({ durationSeconds: 100 });
  const path = paths.studioItemPart(id, "chapters");
  const version = fieldIn(await (await jar.visit(path)).text(), "version");
  const mine = (opened: string): [string, string][] => [
    ["version", opened],
    ["chapters", "0:10"],
    ["titles", "Mine"],
  ];
  const theirs: [string, string][] = [
    ["version", version],
    ["chapters", "0:20"],
    ["titles", "Theirs"],
  ];
  expect((await send(other.jar, path, theirs)).status).toBe(303);
  const refused = await send(jar, path, mine(version));
  const page = textOf(await refused.text());
  expect(refused.status).toBe(409);
  expect(page).toContain(other.email);
  expect(page).toContain("0:20 Theirs");
  expect(page).toContain('value="Mine"');
  expect(page).toContain("Save mine");

  await letSignInGrowOld(userId, "2 days");
  const old = await send(jar, path, mine(fieldIn(page, "version")));
  expect(old.status).toBe(401);
  expect(await old.text()).toContain('value="Mine"');
  expect(await chaptersOf(id)).toEqual([{ atSeconds: 20, title: "Theirs" }]);
});

test("an item without a part leads to its overview", async () => {
  const { jar } = await editor();
  const [set, video] = [await createPhotoSet(), await createVideo()];
  for (const [id, part] of [
    [set.id, "chapters"],
    [set.id, "captions"],
    [set.id, "trailer"],
    [video.id, "photos"],
  ] as const) {
    const answer = await jar.visit(paths.studioItemPart(id, part));
    expect([answer.status, answer.headers.get("location")]).toEqual([302, paths.studioItem(id)]);
  }
});

test("a cover is chosen in two steps, and the second one notices another cover", async () => {
  const [{ jar, id: userId }, other] = [await editor(), await editor()];
  const set = await createPhotoSet({ withFiles: true });
  const path = paths.studioItemPart(set.id, "cover");
  const make = (browser: Jar) =>
    send(browser, path, [
      ["intent", "upload"],
      ["picture", new File([picture], "cover.png")],
    ]);
  const none = await send(jar, path, [["intent", "photo"]]);
  expect(none.status).toBe(422);
  expect(await none.text()).toContain("Please choose one of the photos.");

  const [mine, theirs] = [await (await make(jar)).text(), await (await make(other.jar)).text()];
  const use = (browser: Jar, page: string) =>
    send(browser, path, [
      ["intent", "use"],
      ["opened", fieldIn(page, "opened")],
      ["made", fieldIn(page, "made").replaceAll("&quot;", '"')],
    ]);
  expect((await use(other.jar, theirs)).status).toBe(303);
  const refused = await use(jar, mine);
  expect(refused.status).toBe(409);
  const again = await refused.text();
  expect(again).toContain("Someone else chose another cover,");
  const used = await use(jar, again);
  expect([used.status, used.headers.get("location")]).toEqual([303, path]);
  expect(await (await jar.visit(path)).text()).toContain("The new cover is saved.");

  const kept = await (await make(jar)).text();
  await letSignInGrowOld(userId, "2 days");
  const old = await use(jar, kept);
  expect(old.status).toBe(401);
  expect(fieldIn(await old.text(), "made")).toBe(fieldIn(kept, "made"));
  const lost = await make(jar);
  expect(lost.status).toBe(401);
  expect(await lost.text()).toContain("Please choose the file again");
});

test("files that are too large in total are refused with a sentence", async () => {
  const { jar } = await editor();
  const [video, set] = [await createVideo(), await createPhotoSet()];
  for (const part of ["cover", "captions", "photos"]) {
    const { id } = part === "photos" ? set : video;
    const answer = await send(jar, paths.studioItemPart(id, part), [
      ["intent", "upload"],
      ["picture", new File([Buffer.alloc(BODY_LIMITS.itemFiles + 1)], "large.png")],
    ]);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain("in total, so none was imported");
  }
});

test("a form without files has the limit of a plain form, even as multipart", async () => {
  const { jar } = await editor();
  const { id } = await createVideo();
  for (const path of [
    paths.studioItemForm(id),
    paths.studioItemPart(id, "files"),
    paths.studioItemPart(id, "trailer"),
  ]) {
    const answer = await send(jar, path, [
      ["intent", "save"],
      ["picture", new File([Buffer.alloc(BODY_LIMITS.staffForm + 1)], "large.png")],
    ]);
    expect([path, answer.status]).toEqual([path, 413]);
  }
});

test("captions are added, renamed and removed, and a form that somebody else was faster with is refused", async () => {
  const { jar, id: userId } = await editor();
  const { id } = await createVideo();
  const path = paths.studioItemPart(id, "captions");
  const add = (text: string) =>
    send(jar, path, [
      ["intent", "add"],
      ["opened", ""],
      ["language", "de"],
      ["label", "Deutsch"],
      ["captions", new File([text], "de.vtt")],
    ]);
  const wrong = await add("only words");
  const page = await wrong.text();
  expect(wrong.status).toBe(422);
  expect(page).toContain("it contains no captions");
  expect(page).toContain('value="Deutsch"');
  const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nHallo";
  const added = await add(vtt);
  expect([added.status, added.headers.get("location")]).toEqual([303, path]);
  expect(await (await jar.visit(path)).text()).toContain("The captions are saved.");

  const rename = (opened: string, label: string) =>
    send(jar, path, [
      ["intent", "rename"],
      ["opened", opened],
      ["language", "de"],
      ["label", label],
    ]);
  expect((await rename("Deutsch", "German")).status).toBe(303);
  const late = await rename("Deutsch", "Allemand");
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("Someone else changed these captions");
  expect((await send(jar, path, [])).status).toBe(422);

  await letSignInGrowOld(userId, "2 days");
  const old = await rename("German", "Tedesco");
  expect(old.status).toBe(401);
  expect(await old.text()).toContain('value="Tedesco"');
  expect((await add(vtt)).status).toBe(401);
  const rows = await db.execute(
    sql`SELECT label FROM media_files WHERE media_id = ${id} AND name LIKE 'captions-%'`,
  );
  expect(rows).toEqual([{ label: "German" }]);
});

test("a trailer is chosen and removed, and a range that somebody else has changed is named", async () => {
  const { jar, id: userId } = await editor();
  const { id } = await createVideo({ durationSeconds: 100 });
  const path = paths.studioItemPart(id, "trailer");
  const open = async () => fieldIn(await (await jar.visit(path)).text(), "version");
  const save = (version: string, from: string, to: string) =>
    send(jar, path, [
      ["version", version],
      ["from", from],
      ["to", to],
    ]);
  const none = await open();
  const wrong = await save(none, "soon", "0:20");
  expect(wrong.status).toBe(422);
  const page = await wrong.text();
  expect(page).toContain("Please enter a time such as");
  expect(page).toContain('value="soon"');
  const saved = await save(none, "0:10", "0:20");
  expect([saved.status, saved.headers.get("location")]).toEqual([303, path]);
  expect(await (await jar.visit(path)).text()).toContain("The trailer is being made.");

  const late = await save(none, "0:30", "0:40");
  expect(late.status).toBe(409);
  const shown = textOf(await late.text());
  for (const text of ["0:10", "0:20", 'value="0:30"', "Save mine"]) expect(shown).toContain(text);
  const opened = await open();
  await letSignInGrowOld(userId, "2 days");
  const old = await save(opened, "0:50", "0:55");
  expect(old.status).toBe(401);
  expect(await old.text()).toContain('value="0:50"');
  expect((await save(opened, "", "")).status).toBe(401);
  await letSignInGrowOld(userId, "0 days");
  expect((await save(opened, "", "")).status).toBe(303);
  expect(await db.execute(sql`SELECT FROM media_trailers WHERE media_id = ${id}`)).toHaveLength(0);
});

/** The form of these photos, with numbers and texts that somebody has typed. */
function photosForm(
  version: string,
  photos: EditedPhoto[],
  typed: Record<number, { position?: string; alt?: string; isPreview?: boolean; isLeftOut?: boolean }> = {},
  broughtBack: string[] = [],
): [string, string][] {
  return [
    ["version", version],
    ...photos.flatMap((photo): [string, string][] => {
      const { id, number } = photo;
      const { position = String(photo.position), alt = photo.alt, ...ticks } = typed[number] ?? {};
      const { isPreview = photo.isPreview, isLeftOut = false } = ticks;
      return [
        ["photo", id],
        ["placed", String(photo.position)],
        ["position", position],
        ["alt", alt],
        ...(isPreview ? [["preview", id] as [string, string]] : []),
        ...(isLeftOut ? [["leftOut", id] as [string, string]] : []),
      ];
    }),
    ...broughtBack.map((id): [string, string] => ["bringBack", id]),
  ];
}

const versionIn = (html: string) => fieldIn(html, "version");

test("a set without photos says so and has only the form to add some, until a photo can be brought back", async () => {
  const { jar } = await editor();
  const [none, leftOut] = [await createPhotoSet({ photos: 0 }), await createPhotoSet({ photos: 1 })];
  await db.execute(
    sql`UPDATE photos SET position = NULL, left_out_at = now() WHERE media_id = ${leftOut.id}`,
  );
  await db.execute(sql`UPDATE media SET photo_count = 0 WHERE id = ${leftOut.id}`);
  const [empty, other] = await Promise.all(
    [none, leftOut].map(async ({ id }) =>
      textOf(await (await jar.visit(paths.studioItemPart(id, "photos"))).text()),
    ),
  );
  for (const page of [empty, other]) {
    expect(page).toContain("No photos yet");
    expect(page).toContain("Add photos");
    expect(page).not.toContain("<meter");
  }
  expect(empty).not.toContain('id="photos-form"');
  expect(other).toContain("Bring it back");
});

test("texts, previews, order and left-out photos are saved at once, and a wrong number keeps what was typed", async () => {
  const { jar } = await editor();
  const set = await createPhotoSet({ photos: 4 });
  const path = paths.studioItemPart(set.id, "photos");
  const opened = await photosOf(set.id);
  const page = textOf(await (await jar.visit(path)).text());
  expect(page).toContain("4 of 4 photos have an alternative text");
  const typed = {
    1: { isLeftOut: true },
    2: { alt: "A chair", isPreview: true },
    4: { position: "1" },
  };
  const wrong = await send(
    jar,
    path,
    photosForm(versionIn(page), opened, { ...typed, 3: { position: "first", alt: "A lamp" } }),
  );
  const again = textOf(await wrong.text());
  expect(wrong.status).toBe(422);
  expect(again).toContain("Please type a number, 1 for the first photo.");
  expect(again).toContain('value="first"');
  expect(again).toContain("A lamp</textarea>");
  expect(await photosOf(set.id)).toEqual(opened);

  const saved = await send(jar, path, photosForm(versionIn(again), opened, typed));
  expect([saved.status, saved.headers.get("location")]).toEqual([303, path]);
  expect(await photosOf(set.id)).toMatchObject([
    { number: 4, position: 1 },
    { number: 2, position: 2, alt: "A chair", isPreview: true },
    { number: 3, position: 3 },
    { number: 1, position: null },
  ]);
  const after = textOf(await (await jar.visit(path)).text());
  expect(after).toContain("The photos are saved.");
  const [gone] = opened;
  const present = (await photosOf(set.id)).filter(({ position }) => position !== null);
  const back = photosForm(versionIn(after), present, {}, [gone?.id ?? ""]);
  expect((await send(jar, path, back)).status).toBe(303);
  expect((await photosOf(set.id)).map(({ number }) => number)).toEqual([1, 4, 2, 3]);
});

test("photos that somebody else has saved are shown beside one's own, and an old sign-in saves none", async () => {
  const [{ jar, id: userId }, other] = [await editor(), await editor()];
  const set = await createPhotoSet({ photos: 3 });
  const path = paths.studioItemPart(set.id, "photos");
  const opened = await photosOf(set.id);
  const version = versionIn(await (await jar.visit(path)).text());
  const theirs = photosForm(version, opened, { 2: { alt: "Theirs" }, 3: { position: "1" } });
  expect((await send(other.jar, path, theirs)).status).toBe(303);
  const mine = (at: string) => photosForm(at, opened, { 2: { alt: "Mine", position: "3" } });
  const refused = await send(jar, path, mine(version));
  const page = textOf(await refused.text());
  expect(refused.status).toBe(409);
  expect(page).toContain(`The last edit is by ${other.email}`);
  expect(page).toMatch(/Photo 2, alternative text, as it is saved now<\/dt><dd>Theirs/);
  expect(page).toContain("Mine</textarea>");
  expect(page).toContain("Save mine");

  await letSignInGrowOld(userId, "2 days");
  const old = await send(jar, path, mine(versionIn(page)));
  expect(old.status).toBe(401);
  expect(await old.text()).toContain("Mine</textarea>");
  expect((await photosOf(set.id)).map(({ alt }) => alt)).toContain("Theirs");
  await letSignInGrowOld(userId, "0 days");
  expect((await send(jar, path, mine(versionIn(page)))).status).toBe(303);
  expect(await photosOf(set.id)).toMatchObject([
    { number: 3, position: 1 },
    { number: 1, position: 2 },
    { number: 2, position: 3, alt: "Mine" },
  ]);
});

test("a set of more photos than a page keeps its page when it is saved, and a page past the end leads to the last one", async () => {
  const { jar } = await editor();
  const set = await createPhotoSet({ photos: 25 });
  const second = paths.studioItemPart(set.id, "photos", { photos: 2 });
  const page = textOf(await (await jar.visit(second)).text());
  expect(page).toContain("25 to 25 of 25");
  const own = (await photosOf(set.id)).slice(24);
  const saved = await send(jar, second, photosForm(versionIn(page), own, { 25: { isLeftOut: true } }));
  expect([saved.status, saved.headers.get("location")]).toEqual([303, second]);
  expect(await (await jar.visit(second)).text()).toContain("The photos are saved.");
  const empty = await jar.visit(paths.studioItemPart(set.id, "photos", { photos: 3 }));
  expect([empty.status, empty.headers.get("location")]).toEqual([302, second]);
});

test("thousands of photos that are left out follow the others on pages, and those of a page come back at once", async () => {
  const { jar } = await editor();
  const { id } = await createPhotoSet({ photos: 30 });
  await db.execute(
    sql`UPDATE photos SET position = NULL, left_out_at = now() WHERE media_id = ${id} AND number > 20`,
  );
  await db.execute(sql`UPDATE media SET photo_count = 20 WHERE id = ${id}`);
  await db.execute(sql`
    INSERT INTO photos (media_id, number, width, height, widest, source_hash, left_out_at)
    SELECT ${id}, number, 3000, 2000, 1920, number::text, now() FROM generate_series(31, 2000) number`);
  const at = (photos?: number) => paths.studioItemPart(id, "photos", { photos });
  const leftOutOn = async (photos?: number) =>
    (await (await jar.visit(at(photos))).text()).match(/name="bringBack"/g)?.length ?? 0;
  expect([await leftOutOn(), await leftOutOn(2), await leftOutOn(84)]).toEqual([4, 24, 8]);
  const page = await (await jar.visit(at(84))).text();
  const ticked = [...page.matchAll(/name="bringBack"[^>]* value="([^"]*)"/g)].map(([, photo = ""]) => photo);
  expect((await send(jar, at(84), photosForm(versionIn(page), [], {}, ticked))).status).toBe(303);
  expect((await photosOf(id)).filter(({ position }) => position !== null)).toHaveLength(28);
});

test("photos are added and replaced, each refused file is named, and an old sign-in imports none", async () => {
  const { jar, id: userId } = await editor();
  const set = await createPhotoSet({ photos: 2, withFiles: true });
  const path = paths.studioItemPart(set.id, "photos");
  const add = (...files: File[]) =>
    send(jar, path, [["intent", "add"], ...files.map((file): [string, File] => ["photos", file])]);
  const none = await add(new File([], ""));
  expect(none.status).toBe(422);
  expect(await none.text()).toContain("Please choose a file first.");
  const some = await add(new File([picture], "new.png"), new File(["no"], "no.jpg"));
  const page = textOf(await some.text());
  expect(some.status).toBe(422);
  expect(page).toContain("1 photo imported, 1 not:");
  expect(page).toContain("no.jpg: Not a supported picture.");
  const photos = await photosOf(set.id);
  expect(photos).toHaveLength(3);

  const replace = async (version: string, color: string) => {
    const bytes = await sharp({ create: { width: 600, height: 800, channels: 3, background: color } })
      .png()
      .toBuffer();
    return send(jar, path, [
      ["intent", "replace"],
      ["photo", photos[0]?.id ?? ""],
      ["opened", version],
      ["photos", new File([bytes], "other.png")],
    ]);
  };
  const replaced = await replace("0", "#663300");
  expect([replaced.status, replaced.headers.get("location")]).toEqual([303, path]);
  expect(await (await jar.visit(path)).text()).toContain("The photo is replaced.");
  const late = await replace("0", "#003366");
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("Someone else replaced this photo in the meantime.");

  await letSignInGrowOld(userId, "2 days");
  const old = await add(new File([picture], "old.png"));
  expect(old.status).toBe(401);
  expect(await old.text()).toContain("Please choose the file again");
  expect(await photosOf(set.id)).toHaveLength(3);
});

test("a step of the encoding is canceled and tried again, but not twice, and not with an old sign-in", async () => {
  const { jar, id: userId } = await editor();
  const { id } = await createVideo();
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${id})`);
  await db.execute(sql`
    INSERT INTO media_work (media_id, step, position, state) VALUES (${id}, 'rung-360', 0, 'waiting')`);
  const path = paths.studioItemPart(id, "files");
  const change = (intent: string) => send(jar, path, [["intent", intent]]);
  const state = async () => (await db.execute(sql`SELECT state FROM media_work WHERE media_id = ${id}`))[0];
  await letSignInGrowOld(userId, "2 days");
  const old = await change("cancel");
  expect(old.status).toBe(401);
  expect(await old.text()).toContain("You signed in too long ago to change this.");
  expect(await state()).toEqual({ state: "waiting" });
  await letSignInGrowOld(userId, "0 days");

  const canceled = await change("cancel");
  expect([canceled.status, canceled.headers.get("location")]).toEqual([303, path]);
  expect(await (await jar.visit(path)).text()).toContain("The change is saved.");
  expect(await state()).toEqual({ state: "cancelled" });
  const late = await change("cancel");
  expect(late.status).toBe(422);
  expect(await late.text()).toContain("No step of this video is waiting or running.");
  expect((await change("")).status).toBe(422);
  expect((await change("retry")).status).toBe(303);
  expect(await state()).toEqual({ state: "waiting" });
});
