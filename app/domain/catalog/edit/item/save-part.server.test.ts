import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { addDays, toZoneTime } from "#app/dates.ts";
import { site } from "#app/domain/site/site.server.ts";
import { verifyAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { collectAnnouncements } from "#tests/support/announcements.ts";
import { editName, editPart, openedPart } from "#tests/support/edit-part.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { findMedia } from "../../media/media.server.ts";
import { addCreator } from "../names/edit-names.server.ts";
import { findCredits } from "./credits.server.ts";
import { type EditedItem, readItem } from "./items.server.ts";
import type { PartName, PartValues } from "./parts.ts";
import { savePart } from "./save-part.server.ts";
import { findShoots } from "./shoots.server.ts";

const ann: Actor = { id: randomUUID(), name: "ann@example.com", role: "editor" };
const bob: Actor = { id: randomUUID(), name: "bob@example.com", role: "publisher" };

async function open(id: string): Promise<EditedItem> {
  const item = await readItem(db, id);
  if (item === null) throw new Error("the item is gone");
  return item;
}

function edit<Name extends PartName>(
  id: string,
  name: Name,
  changes: Partial<PartValues[Name]>,
  actor = ann,
) {
  return editPart(actor, id, name, changes);
}

async function listAudit(mediaId: string) {
  return db.execute<{ actor: string; action: string; before: object; after: object }>(sql`
    SELECT actor, action, before, after FROM audit_log WHERE subject_id = ${mediaId} ORDER BY id`);
}

const SAVED = { saved: true, title: expect.any(String), renamed: [] };

test("a new title makes a new address, and the old one leads to it", async () => {
  const video = await createVideo({ title: "First light" });
  expect(await edit(video.id, "text", { title: "  Last\tlight " })).toEqual(SAVED);
  const found = await findMedia("video", video.slug);
  expect(found).toMatchObject({ id: video.id, title: "Last light" });
  expect(found?.slug).toMatch(/^last-light-/);
  expect(await listAudit(video.id)).toMatchObject([
    {
      actor: ann.name,
      action: "media.edited",
      before: { title: "First light" },
      after: { title: "Last light" },
    },
  ]);
  const [searched] = await db.execute(
    sql`SELECT FROM media WHERE id = ${video.id} AND search @@ websearch_to_tsquery('simple', 'last -first')`,
  );
  expect(searched).toBeDefined();
});

test("a form that is sent as it was opened changes and records nothing, whatever its version", async () => {
  const { id } = await createVideo({ description: "One\nTwo", tags: ["Dusk"] });
  const before = await open(id);
  expect(await edit(id, "text", { description: "One\r\nTwo" })).toEqual(SAVED);
  for (const name of ["text", "credits", "dates", "access"] as const) {
    const { values } = await openedPart(id, name);
    expect(await edit(id, name, {})).toEqual(SAVED);
    expect(await savePart(ann, id, name, "another", values)).toEqual(SAVED);
  }
  expect((await open(id)).updatedAt).toEqual(before.updatedAt);
  expect(await listAudit(id)).toEqual([]);
});

test("the second of two editors sees who saved when and what, and overwrites nothing unless asked", async () => {
  const { id } = await createVideo({ title: "Plain", description: "Old" });
  const { values, version } = await openedPart(id, "text");
  const start = Date.now();
  expect(await savePart(ann, id, "text", version, { ...values, title: "Hers" })).toEqual(SAVED);
  const sent = { title: "His", description: "Old" };
  const now = await openedPart(id, "text");
  const second = await savePart(bob, id, "text", version, sent);
  expect(second).toEqual({
    saved: false,
    conflict: {
      stored: { title: "Hers", description: "Old" },
      version: expect.stringMatching(/./),
      fields: ["title"],
      edit: { actor: ann.name, at: expect.any(Date) },
    },
  });
  const at = "conflict" in second ? second.conflict.edit?.at.getTime() : undefined;
  expect(at).toBeGreaterThanOrEqual(start - 1);
  expect((await openedPart(id, "text")).values).toEqual({ title: "Hers", description: "Old" });
  expect(await savePart(bob, id, "text", now.version, sent)).toEqual(SAVED);
  expect((await openedPart(id, "text")).values).toEqual(sent);
});

test("the whole part is compared, and another part is not", async () => {
  const { id } = await createVideo({ title: "Plain", description: "Old" });
  const { values, version } = await openedPart(id, "text");
  expect(await savePart(ann, id, "text", version, { ...values, title: "Hers" })).toEqual(SAVED);
  expect(await savePart(bob, id, "text", version, { ...values, description: "His" })).toMatchObject({
    conflict: { fields: ["title", "description"] },
  });
  const dates = await openedPart(id, "dates");
  expect(await edit(id, "text", { title: "Hers again" })).toEqual(SAVED);
  expect(
    await savePart(bob, id, "dates", dates.version, { ...dates.values, producedOn: "2026-05-31" }),
  ).toEqual(SAVED);
});

test("a tag that was renamed meanwhile is a conflict, which names the last edit of the part", async () => {
  const old = `Tag ${randomUUID()}`;
  const { id } = await createVideo({ tags: [old] });
  expect(await edit(id, "credits", { creators: ["Ida Moor"] })).toMatchObject({ saved: true });
  const { values, version } = await openedPart(id, "credits");
  const [tag] = await db.execute<{ id: string }>(sql`SELECT id FROM tags WHERE name = ${old}`);
  await editName(HOST, "tag", tag?.id ?? "", { name: `${old} too` });
  expect(await savePart(bob, id, "credits", version, { ...values, creators: [] })).toMatchObject({
    conflict: { stored: { tags: [`${old} too`] }, edit: { actor: ann.name } },
  });
});

test("a shoot that somebody else has ended is a conflict, and no item that is gone", async () => {
  const { id } = await createVideo();
  const { id: other } = await createVideo();
  expect(await edit(id, "credits", { shoot: other })).toEqual(SAVED);
  expect(await edit(other, "credits", { shoot: null })).toEqual(SAVED);
  const { values, version } = await openedPart(id, "credits");
  expect(await edit(id, "credits", { shoot: null })).toEqual(SAVED);
  const sent = { ...values, creators: ["Ida Moor"] };
  expect(await savePart(bob, id, "credits", version, sent)).toMatchObject({
    conflict: { stored: { shoot: null }, edit: { actor: ann.name } },
  });
});

test("two editors who save the same values are not in conflict", async () => {
  const { id } = await createVideo({ title: "Plain", description: "Old" });
  const { values, version } = await openedPart(id, "text");
  const sent = { ...values, title: "Both" };
  expect(await savePart(ann, id, "text", version, sent)).toEqual(SAVED);
  expect(await savePart(bob, id, "text", version, sent)).toEqual(SAVED);
  expect(await listAudit(id)).toMatchObject([{ actor: ann.name, after: { title: "Both" } }]);
});

test("one of many saves at the same moment wins, and the others are conflicts", async () => {
  const { id } = await createVideo({ title: "Plain" });
  const { values, version } = await openedPart(id, "text");
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      savePart(ann, id, "text", version, { ...values, title: `Title ${index}` }),
    ),
  );
  expect(results.filter(({ saved }) => saved)).toHaveLength(1);
  const { title } = await open(id);
  for (const result of results) {
    if (!result.saved) expect(result).toMatchObject({ conflict: { fields: ["title"], stored: { title } } });
  }
  expect(await listAudit(id)).toHaveLength(1);
  expect((await verifyAudit()).brokenId).toBeNull();
});

test("credits are found by name or alias, kept in order, and counted at once", async () => {
  const mara = await createCreator({ name: "Mara Voss", aliases: ["M. Voss"] });
  const old = await createCreator({ name: "Old Friend" });
  const { id } = await createVideo({ creators: [old.id] });
  const name = `Newcomer ${id.slice(0, 8)}`;
  expect(await edit(id, "credits", { creators: ["m. voss", name, "M. Voss"] })).toMatchObject({
    saved: true,
    renamed: [{ typed: "m. voss", stored: "Mara Voss" }],
    added: [{ kind: "creator", name }],
  });
  const [made] = await db.execute<{ id: string }>(sql`SELECT id FROM creators WHERE name = ${name}`);
  expect(await listAudit(made?.id ?? "")).toMatchObject([{ actor: ann.name, action: "creator.created" }]);
  expect((await open(id)).creators).toEqual(["Mara Voss", name]);
  const counts = await db.execute<{ name: string; video_count: number }>(sql`
    SELECT name, video_count FROM creators WHERE id IN (${mara.id}, ${old.id}) OR name = ${name} ORDER BY name`);
  expect(counts).toEqual([
    { name: "Mara Voss", video_count: 1 },
    { name, video_count: 1 },
    { name: "Old Friend", video_count: 0 },
  ]);
  expect(await edit(id, "credits", { creators: [name, "Mara Voss"] })).toEqual(SAVED);
  expect((await open(id)).creators).toEqual([name, "Mara Voss"]);
});

test("one of two creators with one name stays credited when another is added", async () => {
  const [first, second] = [
    await createCreator({ name: "Same Name" }),
    await createCreator({ name: "Same Name" }),
  ];
  for (const { id: creator } of [first, second]) {
    const { id } = await createVideo({ creators: [creator] });
    await edit(id, "credits", { creators: ["Same Name", "Mara Voss"] });
    const [row] = await db.execute<{ id: string }>(
      sql`SELECT creator_id AS id FROM media_creators WHERE media_id = ${id} AND position = 0`,
    );
    expect(row?.id).toBe(creator);
  }
});

test("tags are found regardless of case and made when they are new", async () => {
  const { id } = await createVideo({ tags: ["Slow light"] });
  const saved = await edit(id, "credits", { tags: ["SLOW LIGHT", "Brand new", ""] });
  expect(saved).toMatchObject({ saved: true, renamed: [{ typed: "SLOW LIGHT", stored: "Slow light" }] });
  expect((await open(id)).tags).toEqual(["Brand new", "Slow light"]);
});

test.each([
  ["A", ["A+", "A-", "A!", "(A)"]],
  ["C++", ["C#", "C", "c"]],
  ["Rock & roll", ["Rock and roll", "Rock/roll"]],
  ["slow-burn", ["slow burn", "slow_burn"]],
  ["Ночь", ["Noch"]],
  ["🎉 party", ["party"]],
  ["x".repeat(90), [`${"x".repeat(90)}y`]],
])(
  "a tag %s keeps tags that only look like it apart, each with an address of its own",
  async (name, others) => {
    const { id } = await createVideo();
    expect(await edit(id, "credits", { tags: [name] })).toMatchObject({ saved: true });
    const names = new Set([name, ...others].map((each) => each.toLowerCase()));
    const { id: second } = await createVideo();
    expect(await edit(second, "credits", { tags: [...others, name] })).toMatchObject({ saved: true });
    expect(new Set((await open(second)).tags.map((each) => each.toLowerCase()))).toEqual(names);
    expect((await open(id)).tags).toEqual([name]);
    const slugs = await db.execute<{ slug: string }>(sql`
    SELECT t.slug FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = ${second}`);
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(names.size);
  },
);

test.each([
  ["Café noir", ["CAFÉ NOIR", "cafe noir", "Café  noir", "Cafenoir", "Cafe\u0301 noir", "café\u00a0noir"]],
  ["Über", ["uber", "ÜBER"]],
])("a tag %s is the same in another case, with other accents and other blanks", async (name, others) => {
  const { id } = await createVideo();
  await edit(id, "credits", { tags: [name] });
  for (const other of others) {
    const { id: second } = await createVideo();
    await edit(second, "credits", { tags: [other] });
    expect((await open(second)).tags, other).toEqual([name]);
  }
});

test("the audit log has tags and creators as they are stored, whatever was typed", async () => {
  await createCreator({ name: "Ines Vale", aliases: ["I. Vale"] });
  const { id } = await createVideo({ tags: ["Long dusk"] });
  await edit(id, "credits", { tags: [] });
  const [last] = await db.execute<{ id: string }>(sql`SELECT id FROM tags WHERE name = 'Long dusk'`);
  await editName(HOST, "tag", last?.id ?? "", { name: "Evening" });
  const { id: second } = await createVideo();
  const saved = await edit(second, "credits", { tags: ["LONG  DUSK", "Fresh", "evening"] });
  expect(saved).toMatchObject({
    saved: true,
    renamed: [
      { typed: "LONG DUSK", stored: "Evening" },
      { typed: "evening", stored: "Evening" },
    ],
  });
  await edit(second, "credits", { creators: ["i. vale", "INES VALE"] });
  const after = (await listAudit(second)).map((entry) => entry.after);
  expect(after).toEqual([{ tags: ["Evening", "Fresh"] }, { creators: ["Ines Vale"] }]);
  // What is there already under another name is no change.
  expect(await edit(second, "credits", { creators: ["I. VALE"] })).toMatchObject({ saved: true });
  expect(await listAudit(second)).toHaveLength(2);
});

test("embeddings and isolates, which phones and Windows put around what is copied, are left out", async () => {
  const { id } = await createVideo();
  const title = "Studio \u2068+49 30\u2069 \u202ano. 4\u202c";
  const description = "First\r\n\u202bsecond\u202c, \u2067third\u2069";
  expect(await edit(id, "text", { title, description })).toEqual(SAVED);
  expect(await open(id)).toMatchObject({
    title: "Studio +49 30 no. 4",
    description: "First\nsecond, third",
  });
  expect(await edit(id, "credits", { tags: ["\u2066Night\u2069"] })).toMatchObject({ saved: true });
  expect(await open(id)).toMatchObject({ tags: ["Night"] });
});

test.each(["\u202d", "\u202e"])(
  "the character %j, which turns the sentence around a name, is refused in every name and text",
  async (mark) => {
    const { id } = await createVideo();
    const wrong = `Silk ${mark}evil`;
    const sentence = expect.stringContaining("changes the direction of text");
    expect(await edit(id, "text", { title: wrong })).toMatchObject({ errors: { title: sentence } });
    expect(await edit(id, "text", { description: wrong })).toMatchObject({
      errors: { description: sentence },
    });
    expect(await edit(id, "credits", { tags: [wrong] })).toMatchObject({ errors: { tags: sentence } });
    expect(await edit(id, "credits", { creators: [wrong] })).toMatchObject({
      errors: { creators: sentence },
    });
    expect(await addCreator(HOST, wrong)).toMatchObject({ problem: sentence });
    // Marks of single letters, as Hebrew and Arabic names have them, stay.
    expect(await edit(id, "text", { title: "שלום\u200f! ليل" })).toEqual(SAVED);
  },
);

test("an expiry takes the item off the lists at once, and its credit off the counts", async () => {
  const creator = await createCreator();
  const { id } = await createVideo({ creators: [creator.id], publishAt: new Date(Date.now() - 7_200_000) });
  const expireAt = new Date(Date.now() - 3_600_000).toISOString();
  expect(await edit(id, "dates", { producedOn: "2026-05-31", expireAt }, bob)).toEqual(SAVED);
  const [row] = await db.execute(sql`SELECT video_count FROM creators WHERE id = ${creator.id}`);
  expect(row).toEqual({ video_count: 0 });
  expect((await open(id)).producedOn).toBe("2026-05-31");
});

test("only a publisher can set the expiry date of an item that is not a draft, or bring an expired one back", async () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const later = inHours(1).toISOString();
  const expired = await createVideo({ publishAt: inHours(-2), expireAt: inHours(-1) });
  const hidden = await createVideo({ status: "hidden" });
  const refusals: [id: string, expireAt: string | null][] = [
    [expired.id, null],
    [expired.id, later],
    [hidden.id, later],
  ];
  for (const [id, expireAt] of refusals) {
    const stored = await open(id);
    expect(await edit(id, "dates", { producedOn: "2026-05-31", expireAt })).toEqual({
      saved: false,
      errors: { expireAt: expect.stringMatching(/role/) },
    });
    expect(await open(id)).toEqual(stored);
    expect(await edit(id, "dates", { producedOn: "2026-05-31" })).toEqual(SAVED);
    expect(await edit(id, "dates", { expireAt }, bob)).toEqual(SAVED);
  }
  const draft = await createVideo({ status: "draft" });
  expect(await edit(draft.id, "dates", { expireAt: later })).toEqual(SAVED);
});

test("an editor who may not change the expiry saves the other dates after a publisher has changed it", async () => {
  const { id } = await createVideo();
  const { version } = await openedPart(id, "dates");
  const expireAt = new Date("2099-01-01T12:00:00Z").toISOString();
  expect(await edit(id, "dates", { expireAt }, bob)).toEqual(SAVED);
  const sent = { producedOn: "2026-05-31" };
  const refused = await savePart(ann, id, "dates", version, sent);
  expect(refused).toMatchObject({ conflict: { fields: ["producedOn"] } });
  const mine = "conflict" in refused ? refused.conflict.version : "";
  expect(await savePart(ann, id, "dates", mine, sent)).toEqual(SAVED);
  expect((await openedPart(id, "dates")).values).toEqual({ ...sent, expireAt });
});

test("access and downloads change, and every process hears of it", async () => {
  const { id } = await createVideo({ access: "subscriber" });
  const announced = await collectAnnouncements();
  expect(await edit(id, "access", { access: "free", allowDownload: true })).toEqual(SAVED);
  expect((await openedPart(id, "access")).values).toEqual({ access: "free", allowDownload: true });
  expect(await listAudit(id)).toMatchObject([{ after: { access: "free", allowDownload: true } }]);
  await expect.poll(() => announced).toContain(`media ${id}`);
});

test("chapters are sorted, inside the video, and each at a time of its own", async () => {
  const { id } = await createVideo({ durationSeconds: 100 });
  const [late, early] = [
    { atSeconds: 60.5, title: "Late" },
    { atSeconds: 0, title: "Early" },
  ];
  expect(await edit(id, "chapters", { chapters: [late, early] })).toEqual(SAVED);
  expect((await open(id)).chapters).toEqual([early, late]);
  for (const chapters of [
    [{ atSeconds: 100, title: "After" }],
    [{ atSeconds: Number.NaN, title: "Never" }],
    [{ atSeconds: -1, title: "Before" }],
    [{ atSeconds: 1, title: " " }],
    [
      { atSeconds: 1, title: "One" },
      { atSeconds: 1, title: "Two" },
    ],
  ]) {
    const wrong = { saved: false, errors: { chapters: expect.any(String) } };
    expect(await edit(id, "chapters", { chapters })).toEqual(wrong);
  }
  expect((await open(id)).chapters).toEqual([early, late]);
  expect((await listAudit(id)).map(({ after }) => after)).toEqual([{ chapters: [early, late] }]);
  const set = await createPhotoSet();
  expect(await edit(set.id, "chapters", { chapters: [early] })).toEqual({
    saved: false,
    errors: { chapters: "Only a video can have chapters." },
  });
  expect(await listAudit(set.id)).toEqual([]);
});

test("a shoot is made with another item, joined by a third, and left", async () => {
  const [a, b, c] = [
    await createVideo({ title: "Pier" }),
    await createPhotoSet({ title: "Pier" }),
    await createVideo(),
  ];
  expect((await findShoots("pier", a.id)).map(({ id }) => id)).toContain(b.id);
  expect(await edit(a.id, "credits", { shoot: b.id })).toEqual(SAVED);
  const made = await open(a.id);
  expect(await othersOf(a.id)).toEqual([b.id]);
  expect((await open(b.id)).shootId).toBe(made.shootId);
  expect(await listAudit(b.id)).toMatchObject([{ before: { shoot: null }, after: { shoot: made.shootId } }]);
  expect(await edit(c.id, "credits", { shoot: a.id })).toEqual(SAVED);
  expect((await open(c.id)).shootId).toBe(made.shootId);
  expect(await edit(a.id, "credits", { shoot: null })).toEqual(SAVED);
  expect(await othersOf(c.id)).toEqual([b.id]);
  expect(await edit(a.id, "credits", { shoot: randomUUID() })).toMatchObject({
    errors: { shoot: expect.any(String) },
  });
});

async function othersOf(id: string): Promise<string[] | undefined> {
  return (await findCredits(id))?.shoot.map((other) => other.id);
}

test.each([
  ["text", { title: "" }, "title"],
  ["text", { title: "x".repeat(201) }, "title"],
  ["text", { title: "a\u0007b" }, "title"],
  ["text", { title: "\u200b" }, "title"],
  ["text", { description: "x".repeat(5001) }, "description"],
  ["credits", { creators: Array.from({ length: 21 }, (_, index) => `Name ${index}`) }, "creators"],
  ["credits", { creators: ["x".repeat(101)] }, "creators"],
  ["credits", { tags: Array.from({ length: 31 }, (_, index) => `Tag ${index}`) }, "tags"],
  ["dates", { producedOn: "2026-02-30" }, "producedOn"],
  ["dates", { expireAt: "soon" }, "expireAt"],
  ["dates", { expireAt: "2001-01-01T00:00Z" }, "expireAt"],
  ["access", { access: "everyone" as "free" }, "access"],
] as const)(
  "a wrong value of %s is refused with a sentence beside its field: %j",
  async (name, changes, field) => {
    const { id } = await createVideo();
    const before = await open(id);
    const result = await edit(id, name, changes as never);
    expect(result).toEqual({ saved: false, errors: { [field]: expect.stringMatching(/\.$/) } });
    expect(await open(id)).toEqual(before);
  },
);

test("an empty title is asked for, and one without a visible character is explained", async () => {
  const { id } = await createVideo();
  for (const [title, sentence] of [
    [" ", "Please enter a title."],
    ["\u2800", "The title needs at least one visible letter, digit or symbol."],
  ]) {
    expect(await edit(id, "text", { title: title ?? "" })).toMatchObject({ errors: { title: sentence } });
  }
});

// The two never have the same day.
test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "the production date can be today in the site's time zone, and not later: %s",
  async (zone) => {
    const { id } = await createVideo();
    const dayIn = (days: number) => toZoneTime(addDays(new Date(), days), zone).slice(0, 10);
    const timeZone = vi.spyOn(site, "timeZone", "get").mockReturnValue(zone);
    try {
      expect(await edit(id, "dates", { producedOn: dayIn(1) })).toEqual({
        saved: false,
        errors: { producedOn: "The production date is in the future." },
      });
      expect(await edit(id, "dates", { producedOn: dayIn(0) })).toEqual(SAVED);
    } finally {
      timeZone.mockRestore();
    }
  },
);

test("only editors can save, and nobody can save a deleted or unknown item", async () => {
  const { id, title } = await createVideo();
  const { values, version } = await openedPart(id, "text");
  const wanted = { ...values, title: "No" };
  for (const role of ["member", "records"] as const) {
    expect(await savePart({ ...ann, role }, id, "text", version, wanted)).toMatchObject({ saved: false });
  }
  for (const unknown of [randomUUID(), "nothing"]) {
    expect(await savePart(ann, unknown, "text", version, wanted)).toMatchObject({ saved: false });
  }
  await db.execute(sql`UPDATE media SET status = 'deleted' WHERE id = ${id}`);
  expect(await savePart(ann, id, "text", version, wanted)).toMatchObject({ saved: false });
  expect((await open(id)).title).toBe(title);
});

test("a save that fails after it has written leaves nothing behind", async () => {
  const { id } = await createVideo({ title: "Whole" });
  await db.execute(sql`ALTER TABLE audit_log ADD CONSTRAINT refuses CHECK (false) NOT VALID`);
  try {
    await expect(edit(id, "text", { title: "Half" })).rejects.toThrow();
  } finally {
    await db.execute(sql`ALTER TABLE audit_log DROP CONSTRAINT refuses`);
  }
  expect((await open(id)).title).toBe("Whole");
});
