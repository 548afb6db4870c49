import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Role } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { findTotals } from "../../media/counts.server.ts";
import { findMedia } from "../../media/media.server.ts";
import { MEDIA_STATES, type MediaState, TRANSITIONS, type TransitionName } from "./media-states.ts";
import {
  bringBackMedia,
  deleteMedia,
  hideMedia,
  makeDraft,
  previewTransition,
  publishDueMedia,
  publishMedia,
  scheduleMedia,
  showMedia,
  type TransitionResult,
  takeDownMedia,
  transitionsFor,
} from "./transitions.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const inAnHour = () => new Date(Date.now() + HOUR_MS);

const RUN: Record<TransitionName, (id: string) => Promise<TransitionResult>> = {
  publish: (id) => publishMedia(HOST, id),
  schedule: (id) => scheduleMedia(HOST, id, inAnHour()),
  makeDraft: (id) => makeDraft(HOST, id),
  hide: (id) => hideMedia(HOST, id),
  show: (id) => showMedia(HOST, id),
  takeDown: (id) => takeDownMedia(HOST, id, "A complaint"),
  bringBack: (id) => bringBackMedia(HOST, id),
  delete: (id) => deleteMedia(HOST, id),
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
  for (const step of [hideMedia, showMedia, makeDraft, publishMedia]) await step(HOST, id);
  expect(await rowOf(id)).toMatchObject({ status: "published", publish_at: before, hidden_from: null });
  await hideMedia(HOST, id);
  await takeDownMedia(HOST, id, "  A complaint ");
  expect(await rowOf(id)).toMatchObject({ status: "takenDown", taken_down_reason: "A complaint" });
  expect(await bringBackMedia(HOST, id)).toEqual({ done: true, state: "hidden" });
  expect(await showMedia(HOST, id)).toEqual({ done: true, state: "published" });
  expect(await rowOf(id)).toEqual({
    status: "published",
    publish_at: before,
    hidden_from: null,
    taken_down_reason: null,
    taken_down_at: null,
  });
});

test("a draft without a plan is published now, and a plan ends with its item's return to the drafts", async () => {
  const { id } = await createVideo({ status: "draft" });
  expect((await rowOf(id)).publish_at).toBeNull();
  await scheduleMedia(HOST, id, inAnHour());
  await hideMedia(HOST, id);
  expect(await showMedia(HOST, id)).toEqual({ done: true, state: "scheduled" });
  await makeDraft(HOST, id);
  expect(await rowOf(id)).toMatchObject({ status: "draft", publish_at: null });
  await scheduleMedia(HOST, id, inAnHour());
  await publishMedia(HOST, id);
  const { publish_at: publishedAt } = await rowOf(id);
  expect(Math.abs(Date.parse(publishedAt ?? "") - Date.now())).toBeLessThan(60_000);
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
  await publishMedia(HOST, video.id);
  expect(await counts()).toEqual([1, 1, others + 1]);
  await hideMedia(HOST, set.id);
  expect(await counts()).toEqual([1, 0, others]);
  await showMedia(HOST, set.id);
  expect(await counts()).toEqual([1, 1, others + 1]);
  await takeDownMedia(HOST, set.id, "A complaint");
  await takeDownMedia(HOST, video.id, "A complaint");
  expect(await counts()).toEqual([0, 0, others]);
  expect((await findMedia("video", video.slug))?.isTakenDown).toBe(true);
  await bringBackMedia(HOST, set.id);
  expect(await counts()).toEqual([0, 1, others + 1]);
});

test("an entry of the audit log says who did what, with the reason, in the transaction of the change", async () => {
  const { id } = await createVideo();
  await takeDownMedia(HOST, id, "A complaint");
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
    await expect(bringBackMedia(HOST, id)).rejects.toThrow();
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
    expect((await publishMedia(actor, id)).done).toBe(mayPublish.includes(role));
    expect(transitionsFor("published", actor)).toEqual(
      mayPublish.includes(role) ? ["hide", "makeDraft", "takeDown"] : [],
    );
    const draft = await createVideo({ status: "draft" });
    expect((await deleteMedia(actor, draft.id)).done).toBe(role === "owner");
  }
});

test.each<[string, (id: string) => Promise<TransitionResult>, RegExp]>([
  ["a date in the past", (id) => scheduleMedia(HOST, id, new Date(Date.now() - 1000)), /has passed/],
  ["a date that is none", (id) => scheduleMedia(HOST, id, new Date(Number.NaN)), /has passed/],
  ["no reason", (id) => takeDownMedia(HOST, id, "  "), /needs a reason/],
  ["a long reason", (id) => takeDownMedia(HOST, id, "x".repeat(501)), /at most 500/],
  ["an unknown id", () => publishMedia(HOST, "00000000-0000-4000-8000-000000000000"), /no such item/],
  ["no id", () => publishMedia(HOST, "nothing"), /no such item/],
])("%s is refused with a sentence", async (_, run, sentence) => {
  const { id } = await createVideo({ status: "draft" });
  expect(await run(id)).toEqual({ done: false, problem: expect.stringMatching(sentence) });
});

test("an item without a video or photos cannot be published or scheduled", async () => {
  const set = await createPhotoSet({ status: "draft", photos: 0 });
  const video = await createVideo({ status: "draft" });
  await db.execute(sql`DELETE FROM media_files WHERE media_id = ${video.id} AND content_type LIKE 'video/%'`);
  for (const { id } of [set, video]) {
    for (const result of [await publishMedia(HOST, id), await scheduleMedia(HOST, id, inAnHour())]) {
      expect(result).toEqual({ done: false, problem: expect.stringContaining("no files yet") });
    }
  }
});

test("an item is not published at or after its expiry, by hand, by a plan or by its date", async () => {
  const { id } = await createVideo({ status: "draft", expireAt: inAnHour() });
  const inTwoHours = new Date(Date.now() + 2 * HOUR_MS);
  const refused = { done: false, problem: expect.stringContaining("expires before that date") };
  expect(await scheduleMedia(HOST, id, inTwoHours)).toEqual(refused);
  expect(await previewTransition(HOST, id, "schedule", { publishAt: inTwoHours })).toEqual(refused);
  expect((await scheduleMedia(HOST, id, new Date(Date.now() + HOUR_MS / 2))).done).toBe(true);

  // As after an hour without the worker.
  await db.execute(sql`UPDATE media SET publish_at = now() - interval '2 minutes',
    expire_at = now() - interval '1 minute' WHERE id = ${id}`);
  const passed = { done: false, problem: expect.stringContaining("has passed: change or remove it") };
  expect(await publishDueMedia(HOST, id)).toEqual(passed);
  expect(await publishMedia(HOST, id)).toEqual(passed);
  expect((await rowOf(id)).status).toBe("scheduled");
  await db.execute(sql`UPDATE media SET expire_at = NULL WHERE id = ${id}`);
  expect((await publishMedia(HOST, id)).done).toBe(true);
});

test("two people at once make one change, and the second is refused with a sentence", async () => {
  const { id } = await createVideo();
  const results = await Promise.all([hideMedia(HOST, id), hideMedia(HOST, id)]);
  expect(results.map(({ done }) => done).sort()).toEqual([false, true]);
  expect(await auditOf(id)).toHaveLength(1);
});
