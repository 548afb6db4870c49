import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Role } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { findTotals } from "../../media/counts.server.ts";
import { findMedia, type MediaState } from "../../media/media.server.ts";
import { releaseDueMedia } from "../releases/release.server.ts";
import { MEDIA_STATES, TRANSITIONS, type TransitionName } from "./media-states.ts";
import {
  changeState,
  previewTransition,
  publishDueMedia,
  type TransitionResult,
  transitionsFor,
} from "./transitions.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const inAnHour = () => new Date(Date.now() + HOUR_MS);

const RUN: Record<TransitionName, (id: string) => Promise<TransitionResult>> = {
  publish: (id) => changeState(HOST, id, "publish"),
  schedule: (id) => changeState(HOST, id, "schedule", { publishAt: inAnHour() }),
  makeDraft: (id) => changeState(HOST, id, "makeDraft"),
  hide: (id) => changeState(HOST, id, "hide"),
  show: (id) => changeState(HOST, id, "show"),
  takeDown: (id) => changeState(HOST, id, "takeDown", { reason: "A complaint" }),
  bringBack: (id) => changeState(HOST, id, "bringBack"),
  delete: (id) => changeState(HOST, id, "delete"),
};

interface Row extends Record<string, unknown> {
  status: MediaState;
  publish_at: string | null;
  hidden_from: MediaState | null;
  taken_down_reason: string | null;
  taken_down_at: string | null;
}

async function rowOf(id: string): Promise<Row> {
  const [row] = await db.execute<Row>(sql`
    SELECT status, publish_at::text, hidden_from, taken_down_reason, taken_down_at::text FROM media WHERE id = ${id}`);
  if (!row) throw new Error("The row is gone");
  return row;
}

async function auditOf(id: string) {
  const rows = await db.execute<{ action: string; before: object; after: object }>(sql`
    SELECT action, before, after FROM audit_log WHERE subject_id = ${id} ORDER BY id`);
  return [...rows];
}

test("each transition is possible from its own states only, and writes nothing from any other", async () => {
  for (const name of Object.keys(RUN) as TransitionName[]) {
    for (const status of MEDIA_STATES) {
      const { id } = await createVideo({ status });
      if (status === "takenDown") {
        await db.execute(sql`UPDATE media SET taken_down_at = now() - interval '31 days' WHERE id = ${id}`);
      }
      const before = await rowOf(id);
      const planned = await previewTransition(HOST, id, name, {
        reason: "A complaint",
        publishAt: inAnHour(),
      });
      const result = await RUN[name](id);
      expect(result, `${name} from ${status}`).toEqual(planned);
      expect(result.done, `${name} from ${status}`).toBe(TRANSITIONS[name].from.includes(status));
      const after = await rowOf(id);
      if (result.done) expect(after.status).toBe(result.state);
      else expect([after, await auditOf(id)]).toEqual([before, []]);
      expect(transitionsFor(status, HOST).includes(name)).toBe(TRANSITIONS[name].from.includes(status));
    }
  }
});

test("an item that is brought back is where it was, and keeps its position in the lists", async () => {
  const publishAt = new Date(Date.now() - 3 * DAY_MS);
  const { id } = await createVideo({ publishAt });
  const { publish_at: before } = await rowOf(id);
  for (const name of ["hide", "show", "makeDraft", "publish"] as const) await changeState(HOST, id, name);
  expect(await rowOf(id)).toMatchObject({ status: "published", publish_at: before, hidden_from: null });
  await changeState(HOST, id, "hide");
  await changeState(HOST, id, "takeDown", { reason: "  A complaint " });
  expect(await rowOf(id)).toMatchObject({ status: "takenDown", taken_down_reason: "A complaint" });
  expect(await changeState(HOST, id, "bringBack")).toEqual({ done: true, state: "hidden" });
  expect(await changeState(HOST, id, "show")).toEqual({ done: true, state: "published" });
  expect(await rowOf(id)).toEqual({
    status: "published",
    publish_at: before,
    hidden_from: null,
    taken_down_reason: null,
    taken_down_at: null,
  });
});

test("a draft without a date is published now, and an item that becomes a draft again loses its planned date", async () => {
  const { id } = await createVideo({ status: "draft" });
  expect((await rowOf(id)).publish_at).toBeNull();
  await changeState(HOST, id, "schedule", { publishAt: inAnHour() });
  await changeState(HOST, id, "hide");
  expect(await changeState(HOST, id, "show")).toEqual({ done: true, state: "scheduled" });
  await changeState(HOST, id, "makeDraft");
  expect(await rowOf(id)).toMatchObject({ status: "draft", publish_at: null });
  await changeState(HOST, id, "schedule", { publishAt: inAnHour() });
  await changeState(HOST, id, "publish");
  const { publish_at: publishedAt } = await rowOf(id);
  expect(Math.abs(Date.parse(publishedAt ?? "") - Date.now())).toBeLessThan(60_000);
});

test.each<[string, TransitionName[], TransitionName[]]>([
  ["taken down", ["takeDown"], ["bringBack"]],
  ["hidden", ["hide"], ["show"]],
  ["hidden and then taken down", ["hide", "takeDown"], ["bringBack", "show"]],
])(
  "a planned item that was %s is a draft when it comes back after its date, and is not released",
  async (_, leave, comeBack) => {
    for (const wasPublic of [false, true]) {
      const { id } = await createVideo({ status: wasPublic ? "published" : "draft" });
      if (wasPublic) await changeState(HOST, id, "makeDraft");
      await changeState(HOST, id, "schedule", { publishAt: inAnHour() });
      for (const name of leave) expect(await RUN[name](id)).toMatchObject({ done: true });
      const passed = new Date(Date.now() - 60_000);
      await db.execute(sql`UPDATE media SET publish_at = ${passed.toISOString()} WHERE id = ${id}`);
      for (const name of comeBack) {
        const preview = await previewTransition(HOST, id, name);
        expect(await RUN[name](id)).toEqual(preview);
        expect(preview).toEqual(
          name === comeBack.at(-1)
            ? { done: true, state: "draft", missed: passed }
            : { done: true, state: "hidden" },
        );
      }
      await releaseDueMedia();
      expect(await rowOf(id)).toMatchObject({ status: "draft", publish_at: null, hidden_from: null });
      expect((await auditOf(id)).at(-1)).toMatchObject({ after: { state: "draft", publishAt: null } });
      // Published by hand, it is as new as it looks.
      await changeState(HOST, id, "publish");
      expect(Date.parse((await rowOf(id)).publish_at ?? "")).toBeGreaterThan(passed.getTime() + 30_000);
    }
  },
);

test("a planned item that comes back before its date is scheduled for it", async () => {
  for (const [leave, comeBack] of [
    ["takeDown", "bringBack"],
    ["hide", "show"],
  ] as const) {
    const { id } = await createVideo({ status: "draft" });
    await changeState(HOST, id, "schedule", { publishAt: inAnHour() });
    const { publish_at: planned } = await rowOf(id);
    await RUN[leave](id);
    expect(await RUN[comeBack](id)).toEqual({ done: true, state: "scheduled" });
    expect(await rowOf(id)).toMatchObject({ status: "scheduled", publish_at: planned });
  }
});

test("a plan that passed without a publication leaves no date on a draft, whatever was public before", async () => {
  for (const leave of [[], ["hide"]] as const) {
    const { id } = await createVideo();
    await changeState(HOST, id, "makeDraft");
    await changeState(HOST, id, "schedule", { publishAt: inAnHour() });
    for (const name of leave) await RUN[name](id);
    await db.execute(sql`UPDATE media SET publish_at = now() - interval '1 day' WHERE id = ${id}`);
    await changeState(HOST, id, "makeDraft");
    expect(await rowOf(id)).toMatchObject({ status: "draft", publish_at: null });
  }
});

test("the counts of creators and of the site follow each transition", async () => {
  const ben = await createCreator();
  const counts = async () => {
    const [row] = await db.execute<{ v: number; s: number }>(
      sql`SELECT video_count AS v, photo_set_count AS s FROM creators WHERE id = ${ben.id}`,
    );
    return [row?.v, row?.s, (await findTotals()).photoSets];
  };
  const video = await createVideo({ status: "draft", creators: [ben.id] });
  const set = await createPhotoSet({ creators: [ben.id] });
  const others = (await findTotals()).photoSets - 1;
  expect(await counts()).toEqual([0, 1, others + 1]);
  await changeState(HOST, video.id, "publish");
  expect(await counts()).toEqual([1, 1, others + 1]);
  await changeState(HOST, set.id, "hide");
  expect(await counts()).toEqual([1, 0, others]);
  await changeState(HOST, set.id, "show");
  expect(await counts()).toEqual([1, 1, others + 1]);
  await changeState(HOST, set.id, "takeDown", { reason: "A complaint" });
  await changeState(HOST, video.id, "takeDown", { reason: "A complaint" });
  expect(await counts()).toEqual([0, 0, others]);
  expect((await findMedia("video", video.slug))?.isTakenDown).toBe(true);
  await changeState(HOST, set.id, "bringBack");
  expect(await counts()).toEqual([0, 1, others + 1]);
});

test("an entry of the audit log says who did what, with the reason, in the transaction of the change", async () => {
  const { id } = await createVideo();
  await changeState(HOST, id, "takeDown", { reason: "A complaint" });
  const [entry, ...others] = await auditOf(id);
  expect(entry).toMatchObject({
    action: "media.takenDown",
    before: { state: "published" },
    after: { state: "takenDown", reason: "A complaint" },
  });
  expect(others).toEqual([]);
  const broken = sql.raw(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no audit'; END $$`);
  await db.execute(broken);
  await db.execute(
    sql.raw("CREATE TRIGGER a_refuse BEFORE INSERT ON audit_log EXECUTE FUNCTION refuse_audit()"),
  );
  try {
    await expect(changeState(HOST, id, "bringBack")).rejects.toThrow();
    expect((await rowOf(id)).status).toBe("takenDown");
  } finally {
    await db.execute(sql.raw("DROP TRIGGER a_refuse ON audit_log"));
  }
});

test("a role without the right changes nothing, and is offered nothing", async () => {
  const mayPublish: Role[] = ["publisher", "owner"];
  for (const role of ["member", "editor", "publisher", "records", "owner"] as const) {
    const actor = { id: "00000000-0000-4000-8000-000000000000", name: "ada@example.com", role };
    const { id } = await createVideo({ status: "draft" });
    expect((await changeState(actor, id, "publish")).done).toBe(mayPublish.includes(role));
    expect(transitionsFor("published", actor)).toEqual(
      mayPublish.includes(role) ? ["hide", "makeDraft", "takeDown"] : [],
    );
    const draft = await createVideo({ status: "draft" });
    expect((await changeState(actor, draft.id, "delete")).done).toBe(role === "owner");
  }
});

test.each<[string, (id: string) => Promise<TransitionResult>, RegExp]>([
  [
    "a date in the past",
    (id) => changeState(HOST, id, "schedule", { publishAt: new Date(Date.now() - 1000) }),
    /has passed/,
  ],
  [
    "an invalid date",
    (id) => changeState(HOST, id, "schedule", { publishAt: new Date(Number.NaN) }),
    /has passed/,
  ],
  ["no reason", (id) => changeState(HOST, id, "takeDown", { reason: "  " }), /needs a reason/],
  [
    "an unstorable reason",
    (id) => changeState(HOST, id, "takeDown", { reason: "A\u0000b" }),
    /cannot be displayed/,
  ],
  [
    "a long reason",
    (id) => changeState(HOST, id, "takeDown", { reason: "x".repeat(501) }),
    /The limit is 500/,
  ],
  [
    "an unknown id",
    () => changeState(HOST, "00000000-0000-4000-8000-000000000000", "publish"),
    /no such item/,
  ],
  ["no id", () => changeState(HOST, "nothing", "publish"), /no such item/],
])("%s is refused with a sentence", async (_, run, sentence) => {
  const { id } = await createVideo({ status: "draft" });
  expect(await run(id)).toEqual({ done: false, problem: expect.stringMatching(sentence) });
});

test("an item without a video or photos cannot be published or scheduled", async () => {
  const set = await createPhotoSet({ status: "draft", photos: 0 });
  const video = await createVideo({ status: "draft" });
  await db.execute(sql`DELETE FROM media_files WHERE media_id = ${video.id} AND content_type LIKE 'video/%'`);
  for (const { id } of [set, video]) {
    for (const result of [
      await changeState(HOST, id, "publish"),
      await changeState(HOST, id, "schedule", { publishAt: inAnHour() }),
    ]) {
      expect(result).toEqual({ done: false, problem: expect.stringContaining("no files yet") });
    }
  }
});

test("an item is not published at or after its expiry, whether now, by a schedule or when it is due", async () => {
  const { id } = await createVideo({ status: "draft", expireAt: inAnHour() });
  const inTwoHours = new Date(Date.now() + 2 * HOUR_MS);
  const refused = { done: false, problem: expect.stringContaining("expires before that date") };
  expect(await changeState(HOST, id, "schedule", { publishAt: inTwoHours })).toEqual(refused);
  expect(await previewTransition(HOST, id, "schedule", { publishAt: inTwoHours })).toEqual(refused);
  expect(
    (await changeState(HOST, id, "schedule", { publishAt: new Date(Date.now() + HOUR_MS / 2) })).done,
  ).toBe(true);

  // As after an hour without the worker.
  await db.execute(sql`UPDATE media SET publish_at = now() - interval '2 minutes',
    expire_at = now() - interval '1 minute' WHERE id = ${id}`);
  const passed = { done: false, problem: expect.stringContaining("has passed. Change or remove it") };
  expect(await publishDueMedia(HOST, id)).toEqual(passed);
  expect(await changeState(HOST, id, "publish")).toEqual(passed);
  expect((await rowOf(id)).status).toBe("scheduled");
  await db.execute(sql`UPDATE media SET expire_at = NULL WHERE id = ${id}`);
  expect((await changeState(HOST, id, "publish")).done).toBe(true);
});

test("of two people who change an item at once, the second is refused with a sentence", async () => {
  const { id } = await createVideo();
  const results = await Promise.all([changeState(HOST, id, "hide"), changeState(HOST, id, "hide")]);
  expect(results.map(({ done }) => done).sort()).toEqual([false, true]);
  expect(await auditOf(id)).toHaveLength(1);
});
