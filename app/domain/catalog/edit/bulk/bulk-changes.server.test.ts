import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readAuditFilters } from "#app/domain/staff/audit-filters.ts";
import { listAudit } from "#app/domain/staff/list-audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { changeRole } from "#app/domain/staff/roles.server.ts";
import { db } from "#db/client.server.ts";
import { collectAnnouncements } from "#tests/support/announcements.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { parseStudioFilters } from "../studio-list/studio-filters.ts";
import { listMatching } from "../studio-list/studio-list.server.ts";
import type { BulkChange } from "./bulk-change.ts";
import { confirmBulk, findBulkChange, runBulk, stopBulk } from "./bulk-changes.server.ts";
import { previewBulk } from "./bulk-preview.server.ts";

const SCRIPT = { id: null, name: "people:role", role: "owner" } as const;
const [editor, publisher] = [await createActor("editor"), await createActor("publisher")];

async function createActor(role: "editor" | "publisher" | "owner"): Promise<Actor & { id: string }> {
  const { id, email } = await createMember({ role });
  return { id, name: email, role };
}

async function createMany(count: number, given: Parameters<typeof createVideo>[0] = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await createVideo(given)).id);
  return ids;
}

async function confirm(ids: string[], change: BulkChange, actor = publisher) {
  const { id, problem } = await confirmBulk(actor, { ids }, change);
  if (id === null) throw new Error(problem);
  return id;
}

function readItems(ids: string[]) {
  return db.execute<{
    id: string;
    access: string;
    status: string;
    download: boolean;
    tags: string[];
    creators: string[];
  }>(sql`
    SELECT m.id, m.access, m.status, m.allow_download AS download,
      to_jsonb(ARRAY(SELECT t.name FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = m.id ORDER BY 1)) AS tags,
      to_jsonb(ARRAY(SELECT c.name FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id
        ORDER BY mc.position)) AS creators
    FROM unnest(${`{${ids.join()}}`}::uuid[]) WITH ORDINALITY wanted(id, n) JOIN media m USING (id) ORDER BY n`);
}

async function countEdits(ids: string[]) {
  const rows = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM audit_log WHERE action <> 'bulk.confirmed'
      AND subject_id = ANY(${`{${ids.join()}}`}::text[]) GROUP BY subject_id`);
  return rows.map(({ count }) => count);
}

test("a preview says for each item what changes and what cannot, and changes nothing", async () => {
  const [free = "", paid = ""] = [...(await createMany(1, { access: "free" })), ...(await createMany(1))];
  const { items } = await previewBulk(
    editor,
    { ids: [free, paid, randomUUID(), "nothing"] },
    { kind: "access", access: "free" },
  );
  expect(items).toMatchObject([
    { id: free, before: "free", after: "free", isChanged: false, problem: null },
    { id: paid, before: "subscriber", after: "free", isChanged: true, problem: null },
  ]);
  expect((await readItems([paid]))[0]?.access).toBe("subscriber");

  const [draft = ""] = await createMany(1, { status: "draft" });
  const states = await previewBulk(publisher, { ids: [draft, paid] }, { kind: "state", transition: "hide" });
  expect(states.items).toMatchObject([
    { id: draft, isChanged: false, problem: expect.stringMatching(/draft/) },
    { id: paid, before: "published", after: "hidden", isChanged: true, problem: null },
  ]);
});

test.each<
  [
    BulkChange,
    (item: { access: string; download: boolean; tags: string[]; creators: string[] }) => unknown,
    unknown,
  ]
>([
  [{ kind: "access", access: "member" }, ({ access }) => access, "member"],
  [{ kind: "download", allowDownload: true }, ({ download }) => download, true],
  [{ kind: "addTag", name: "dusk" }, ({ tags }) => tags, ["Dusk", "Slow light"]],
  [{ kind: "removeTag", name: "SLOW LIGHT" }, ({ tags }) => tags, []],
  [{ kind: "addCreator", name: "a. lind" }, ({ creators }) => creators, ["Bulk Mara", "Astrid Lind"]],
  [{ kind: "removeCreator", name: "bulk mara" }, ({ creators }) => creators, []],
])("%j is made to each item, with an entry in the audit log each", async (change, fieldIn, expected) => {
  const [known] = await db.execute<{ id: string }>(sql`SELECT id FROM creators WHERE name = 'Bulk Mara'`);
  const mara = known ?? (await createCreator({ name: "Bulk Mara" }));
  const [astrid] = await db.execute(sql`SELECT id FROM creators WHERE name = 'Astrid Lind'`);
  if (!astrid) await createCreator({ name: "Astrid Lind", aliases: ["A. Lind"] });
  await createMany(1, { tags: ["Dusk"] });
  const ids = await createMany(3, { tags: ["Slow light"], creators: [mara.id] });
  const preview = await previewBulk(editor, { ids }, change);
  const bulk = await confirm(ids, change, editor);
  expect((await readItems(ids)).map(fieldIn)).toEqual([expected, expected, expected]);
  expect(preview.items.map(({ after }) => after)).toEqual([expected, expected, expected]);
  expect(await findBulkChange(bulk)).toMatchObject({
    total: 3,
    done: 3,
    changed: 3,
    isDone: true,
    problems: [],
    actor: editor.name,
  });
  expect(await countEdits(ids)).toEqual([1, 1, 1]);
  const [logged] = await db.execute<{ name: string | null }>(sql`
    SELECT after #>> '{change,name}' AS name FROM audit_log WHERE subject_id = ${bulk}`);
  if ("name" in change) expect(STORED_NAMES).toContain(logged?.name);
});

const STORED_NAMES = ["Dusk", "Slow light", "Astrid Lind", "Bulk Mara"];

test("an item that cannot be changed does not stop the others", async () => {
  const ids = [
    ...(await createMany(1)),
    ...(await createMany(1, { status: "takenDown" })),
    ...(await createMany(1)),
  ];
  const bulk = await confirm(ids, { kind: "state", transition: "hide" });
  expect((await readItems(ids)).map(({ status }) => status)).toEqual(["hidden", "takenDown", "hidden"]);
  expect(await findBulkChange(bulk)).toMatchObject({
    done: 3,
    changed: 2,
    problems: [{ mediaId: ids[1], problem: expect.stringMatching(/taken down/) }],
  });
});

test("every process hears of each item whose state or access a bulk change has changed", async () => {
  const [hidden, opened] = [await createMany(2), await createMany(2)];
  const announced = await collectAnnouncements();
  await confirm(hidden, { kind: "state", transition: "hide" });
  await confirm(opened, { kind: "access", access: "free" });
  const subjects = [...hidden, ...opened].map((id) => `media ${id}`);
  await expect.poll(() => announced).toEqual(expect.arrayContaining(subjects));
});

test("a date schedules each item that can be scheduled", async () => {
  const ids = [...(await createMany(2, { status: "draft" })), ...(await createMany(1))];
  const publishAt = new Date(Date.now() + 86_400_000).toISOString();
  const preview = await previewBulk(publisher, { ids }, { kind: "publishAt", publishAt });
  expect(preview.items.map(({ isChanged }) => isChanged)).toEqual([true, true, false]);
  const bulk = await confirm(ids, { kind: "publishAt", publishAt });
  expect((await readItems(ids)).map(({ status }) => status)).toEqual(["scheduled", "scheduled", "published"]);
  expect((await findBulkChange(bulk))?.problems).toHaveLength(1);
});

test("an editor cannot change states, and nobody can change more than 1,000 items or none", async () => {
  const ids = await createMany(1);
  const hide: BulkChange = { kind: "state", transition: "hide" };
  expect(await confirmBulk(editor, { ids }, hide)).toMatchObject({
    id: null,
    problem: expect.stringMatching(/role/),
  });
  expect((await previewBulk(editor, { ids }, hide)).problem).toMatch(/role/);
  const many = Array.from({ length: 1_001 }, () => randomUUID());
  expect((await confirmBulk(publisher, { ids: many }, hide)).problem).toMatch(/up to 1,000 items at once/);
  expect((await confirmBulk(publisher, { ids: [] }, hide)).problem).toMatch(/Choose/);
  for (const change of [
    { kind: "addTag", name: " " },
    { kind: "addCreator", name: "x".repeat(101) },
    { kind: "publishAt", publishAt: "soon" },
  ] as BulkChange[]) {
    expect((await confirmBulk(publisher, { ids }, change)).problem).toMatch(/\.$/);
  }
  expect((await readItems(ids))[0]?.status).toBe("published");
});

test("all matching items are changed in the queue, and can be read meanwhile", async () => {
  const ids = await createMany(60, { title: "Zephyr", tags: ["Of the queue"] });
  const filters = parseStudioFilters(new URLSearchParams("q=zephyr"));
  const { id } = await confirmBulk(editor, { filters }, { kind: "access", access: "free" });
  expect(await findBulkChange(id ?? "")).toMatchObject({ total: 60, done: 0, isDone: false });
  const queued = await db.execute(
    sql`SELECT FROM graphile_worker._private_jobs WHERE payload ->> 'bulkChangeId' = ${id} AND run_at <= now()`,
  );
  expect(queued).toHaveLength(1);
  await runBulk(id ?? "");
  const ended = await findBulkChange(id ?? "");
  expect(ended).toMatchObject({ done: 60, changed: 60, isDone: true });
  expect(ended?.changedItems).toHaveLength(50);
  expect(new Set((await readItems(ids)).map(({ access }) => access))).toEqual(new Set(["free"]));
  expect(await listMatching({ ...filters, access: "free" }, 100)).toHaveLength(60);
});

const HIDE: BulkChange = { kind: "state", transition: "hide" };
const TAG: BulkChange = { kind: "addTag", name: "By whoever has left" };

const leave = ({ id }: { id: string }) =>
  db.execute(sql`UPDATE users SET deletion_requested_at = now() WHERE id = ${id}`);

test.each<
  ["publisher" | "editor", BulkChange, string, number, (actor: Actor & { id: string }) => Promise<unknown>]
>([
  ["publisher", HIDE, "becomes an editor", 1, ({ name }) => changeRole(SCRIPT, name, "editor")],
  ["publisher", HIDE, "keeps the records", 1, ({ name }) => changeRole(SCRIPT, name, "records")],
  ["editor", TAG, "is a member again", 1, ({ name }) => changeRole(SCRIPT, name, "member")],
  ["editor", TAG, "asks for the deletion of the account", 1, leave],
  ["publisher", HIDE, "asks for it too", 1, leave],
  ["editor", TAG, "has no account", 1, ({ id }) => db.execute(sql`DELETE FROM users WHERE id = ${id}`)],
  ["editor", TAG, "becomes a publisher", 60, ({ name }) => changeRole(SCRIPT, name, "publisher")],
])(
  "when a %s who has confirmed %j %s, %i of 60 items are changed",
  async (role, change, _, changed, happens) => {
    const actor = await createActor(role);
    const ids = await createMany(60);
    const bulk = await confirm(ids, change, actor);
    await runBulk(bulk, 1);
    await happens(actor);
    const { done: before = 0 } = (await findBulkChange(bulk)) ?? {};
    await runBulk(bulk);
    const ended = await findBulkChange(bulk);
    const expected = changed === 1 ? before : changed;
    expect(ended).toMatchObject({ isDone: true, changed: expected });
    expect(ended?.problems).toHaveLength(60 - expected);
    for (const { problem } of ended?.problems ?? [])
      expect(problem).toMatch(/no longer has the right to make it/);
    expect(await countEdits(ids)).toHaveLength(expected);
  },
);

test("a bulk change is stopped by whoever may make it, and what was not reached stays as it was", async () => {
  const ids = await createMany(60);
  const bulk = await confirm(ids, HIDE);
  await runBulk(bulk, 1);
  const { done = 0 } = (await findBulkChange(bulk)) ?? {};
  expect(await stopBulk(editor, bulk)).toBe("Your role does not allow this.");
  expect(await stopBulk(publisher, randomUUID())).toMatch(/no such change/);
  const other = await createActor("owner");
  expect(await stopBulk(other, bulk)).toBeNull();
  await runBulk(bulk);
  const ended = await findBulkChange(bulk);
  expect(ended).toMatchObject({ isDone: true, changed: done });
  expect(ended?.problems).toHaveLength(60 - done);
  expect(ended?.problems[0]?.problem).toBe(`${other.name} stopped the change before this item.`);
  expect((await readItems(ids)).filter(({ status }) => status === "hidden")).toHaveLength(done);
  // Twice is once, and what is done is not stopped.
  expect(await stopBulk(other, bulk)).toBeNull();
  const log = await db.execute(sql`SELECT actor, after FROM audit_log
    WHERE subject_id = ${bulk} AND action = 'bulk.stopped'`);
  expect([...log]).toEqual([{ actor: other.name, after: { change: HIDE, items: 60 - done } }]);
});

test("a bulk change that is stopped while it runs ends at once, with each item changed or left", async () => {
  const ids = await createMany(60);
  const bulk = await confirm(ids, HIDE);
  const running = runBulk(bulk);
  await expect.poll(async () => (await findBulkChange(bulk))?.done ?? 0).toBeGreaterThan(2);
  await stopBulk(publisher, bulk);
  await running;
  const { changed = 0, problems = [], isDone } = (await findBulkChange(bulk)) ?? {};
  expect([isDone, changed + problems.length]).toEqual([true, 60]);
  expect((await readItems(ids)).filter(({ status }) => status === "hidden")).toHaveLength(changed);
});

test("an error in one item is kept with it, and the others go on", async () => {
  const ids = await createMany(3);
  await db.execute(
    sql.raw(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused'; END $$`),
  );
  await db.execute(
    sql.raw(`CREATE TRIGGER refuse BEFORE UPDATE ON media FOR EACH ROW
    WHEN (OLD.id = '${ids[1]}') EXECUTE FUNCTION refuse()`),
  );
  try {
    const id = await confirm(ids, { kind: "access", access: "free" });
    expect(await findBulkChange(id)).toMatchObject({
      done: 3,
      changed: 2,
      problems: [{ mediaId: ids[1] }],
      changedItems: [{ mediaId: ids[0] }, { mediaId: ids[2] }],
    });
  } finally {
    await db.execute(sql`DROP TRIGGER refuse ON media`);
  }
});

test("an edit beside a bulk change of the same items loses nothing", async () => {
  const ids = await createMany(20, { tags: ["Kept"] });
  await Promise.all([
    confirm(ids, { kind: "addTag", name: "First of two" }),
    confirm(ids.toReversed(), { kind: "addTag", name: "Second of two" }),
  ]);
  for (const { tags } of await readItems(ids))
    expect(tags).toEqual(["First of two", "Kept", "Second of two"]);
});

test("the log finds a bulk change by a part of the title of one of its items, in either case", async () => {
  const [one = ""] = await createMany(1, { title: "Salt and Paper" });
  const [other = ""] = await createMany(1, { title: "Linen" });
  const bulk = await confirm([one, other], { kind: "access", access: "free" });
  await confirm([other], { kind: "access", access: "free" });
  const newest = { olderThan: null, newerThan: null };
  const action = "bulk.confirmed" as const;
  const { entries } = await listAudit(
    readAuditFilters(new URLSearchParams({ action, subject: "and paper" })),
    newest,
    "UTC",
  );
  expect(entries.map(({ subjectId }) => subjectId)).toEqual([bulk]);
});
