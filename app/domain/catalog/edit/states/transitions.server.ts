import { type SQL, sql } from "drizzle-orm";
import { addDays, formatZoneTime } from "#app/dates.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { normalizeLines } from "#app/domain/media/item-texts.ts";
import { site } from "#app/domain/site/site.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { nowMs } from "#db/clock.server.ts";
import { refreshCountsOf } from "../../media/counts.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { hasContents } from "../../media/visibility.server.ts";
import { endDraftLinks } from "./draft-links.server.ts";
import {
  DAYS_BEFORE_DELETION,
  NO_ITEM,
  NOT_ALLOWED,
  reasonProblem,
  STATE_WORDS,
  TRANSITIONS,
  type TransitionName,
} from "./media-states.ts";

/** `problem`: one sentence for people. */
export type TransitionResult = { done: true; state: MediaState } | { done: false; problem: string };

/** The input of a transition besides the item. */
export interface TransitionDetails {
  publishAt?: Date;
  reason?: string;
  /** Only a scheduled item whose date has come. */
  isDue?: true;
}

/** The transitions that a page offers for an item in this state. */
export function transitionsFor(state: MediaState, actor: Actor): TransitionName[] {
  return (Object.keys(TRANSITIONS) as TransitionName[]).filter((name) => {
    const { from, right } = TRANSITIONS[name];
    return from.includes(state) && mayDo(actor, right);
  });
}

export function changeState(
  actor: Actor,
  id: string,
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult> {
  return db.transaction((tx) => applyTransition(tx, actor, id, name, details));
}

/** Null when it is no longer scheduled, or for a later date. */
export async function publishDueMedia(actor: Actor, id: string): Promise<TransitionResult | null> {
  const result = await changeState(actor, id, "publish", { isDue: true });
  return !result.done && result.problem === NOT_DUE ? null : result;
}

/** The answer that the transition would give now, without writing anything. */
export async function previewTransition(
  actor: Actor,
  id: string,
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult> {
  return (await previewTransitions(actor, [id], name, details))[0] ?? { done: false, problem: NO_ITEM };
}

/** The same for many, in the order of the ids. */
export async function previewTransitions(
  actor: Actor,
  ids: string[],
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult[]> {
  const items = new Map((await findItems(db, ids, sql``)).map((item) => [item.id, item]));
  return ids.map((id) => {
    const item = items.get(id) ?? null;
    const problem = problemOf(actor, item, name, details);
    if (problem !== null || item === null) return { done: false, problem: problem ?? NO_ITEM };
    return { done: true, state: stateAfter(name, item) };
  });
}

const NOT_DUE = "This item is not due.";

interface Item extends Record<string, unknown> {
  id: string;
  title: string;
  state: MediaState;
  /** Milliseconds by the database's clock, as `now`. */
  publishAt: number | null;
  expireAt: number | null;
  hiddenFrom: MediaState | null;
  takenDownFrom: MediaState | null;
  takenDownAt: number | null;
  wasPublic: boolean;
  hasContents: boolean;
  now: number;
}

/** For a transaction that writes more than the item. */
export async function applyTransition(
  tx: Transaction,
  actor: Actor,
  id: string,
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult> {
  const [item = null] = await findItems(tx, [id], sql`FOR NO KEY UPDATE`);
  const problem = problemOf(actor, item, name, details);
  if (problem !== null || item === null) return { done: false, problem: problem ?? NO_ITEM };
  const state = stateAfter(name, item);
  // Not now() for the last change, the beginning of a transaction that may have waited for the row.
  const [written] = await tx.execute<{ publishAt: number | null }>(sql`
    UPDATE media m SET status = ${state}, updated_at = clock_timestamp(), publish_problem = NULL,
      ${columnsOf(name, item, details)}
    WHERE id = ${id} RETURNING ${msOf(sql`m.publish_at`)} AS "publishAt"`);
  if (item.state === "draft") await endDraftLinks(tx, id);
  if (name === "delete") await deleteContents(tx, id);
  await refreshCountsOf([id], tx);
  await recordAudit(tx, {
    actor,
    action: TRANSITIONS[name].action,
    subjectKind: "media",
    subjectId: id,
    subjectName: item.title,
    before: { state: item.state, publishAt: isoOf(item.publishAt) },
    after: { state, publishAt: isoOf(written?.publishAt ?? null), reason: storedReason(details) },
  });
  return { done: true, state };
}

async function findItems(executor: Executor, ids: string[], lock: SQL): Promise<Item[]> {
  const known = ids.filter((id) => UUID.test(id));
  return executor.execute<Item>(sql`
    SELECT m.id, m.title, m.status AS state, ${msOf(sql`m.publish_at`)} AS "publishAt",
      ${msOf(sql`m.expire_at`)} AS "expireAt", m.hidden_from AS "hiddenFrom",
      m.taken_down_from AS "takenDownFrom", ${msOf(sql`m.taken_down_at`)} AS "takenDownAt",
      m.first_published_at IS NOT NULL AS "wasPublic", ${hasContents} AS "hasContents", ${nowMs}::float8 AS now
    FROM media m WHERE m.id = ANY(${uuids(known)}) ${lock}`);
}

function problemOf(
  actor: Actor,
  item: Item | null,
  name: TransitionName,
  { publishAt, reason, isDue }: TransitionDetails,
): string | null {
  const { from, right, participle } = TRANSITIONS[name];
  if (!mayDo(actor, right)) return NOT_ALLOWED;
  if (item === null) return NO_ITEM;
  if (isDue && !(item.state === "scheduled" && (item.publishAt ?? item.now + 1) <= item.now)) return NOT_DUE;
  if (!from.includes(item.state)) {
    return `This item is ${STATE_WORDS[item.state]}, so it cannot be ${participle}.`;
  }
  if (name === "publish" || name === "schedule") return publicationProblem(item, publishAt);
  if (name === "takeDown") return reasonProblem(reason ?? "");
  return name === "delete" ? deletionProblem(item) : null;
}

/** One sentence; null for what can be published. Without `publishAt`, for a publication at once. */
export function publicationProblem(
  { hasContents, expireAt, now }: Pick<Item, "hasContents" | "expireAt" | "now">,
  publishAt: Date | undefined,
): string | null {
  if (!hasContents) return "This item has no files yet, so it cannot be published.";
  if (publishAt && !(publishAt.getTime() > now)) {
    return "This date has passed: choose a later one, or publish the item now.";
  }
  if (expireAt === null || expireAt > (publishAt?.getTime() ?? now)) return null;
  return publishAt
    ? "This item expires before that date: choose an earlier one, or change its expiry first."
    : "The expiry of this item has passed: change or remove it first.";
}

function deletionProblem({ state, takenDownAt, wasPublic, now }: Item): string | null {
  if (state === "draft") {
    if (!wasPublic) return null;
    return `This item was public once: take it down first, and delete it ${DAYS_BEFORE_DELETION} days later.`;
  }
  const day = addDays(new Date(takenDownAt ?? now), DAYS_BEFORE_DELETION);
  if (day.getTime() <= now) return null;
  const moment = formatZoneTime(day, site.timeZone);
  return `This item can be deleted from ${moment} on, ${DAYS_BEFORE_DELETION} days after it was taken down.`;
}

function stateAfter(name: TransitionName, { hiddenFrom, takenDownFrom }: Item): MediaState {
  switch (name) {
    case "publish":
      return "published";
    case "schedule":
      return "scheduled";
    case "makeDraft":
      return "draft";
    case "hide":
      return "hidden";
    case "show":
      return hiddenFrom ?? "published";
    case "takeDown":
      return "takenDown";
    case "bringBack":
      return takenDownFrom ?? "draft";
    case "delete":
      return "deleted";
  }
}

const withoutTakedown = sql`taken_down_from = NULL, taken_down_at = NULL, taken_down_reason = NULL`;

function columnsOf(name: TransitionName, { state }: Item, details: TransitionDetails): SQL {
  switch (name) {
    case "publish":
      // A date that has passed is kept, so that nothing that was public jumps to the top of the lists.
      return sql`publish_at = CASE WHEN publish_at <= now() THEN publish_at ELSE now() END`;
    case "schedule":
      return sql`publish_at = ${details.publishAt?.toISOString()}::timestamptz`;
    case "makeDraft":
      // A plan ends here; an item that was public keeps its position in the lists.
      return sql`hidden_from = NULL,
        publish_at = CASE WHEN first_published_at IS NOT NULL AND publish_at <= now() THEN publish_at END`;
    case "hide":
      return sql`hidden_from = ${state}`;
    case "show":
      return sql`hidden_from = NULL`;
    case "takeDown":
      return sql`taken_down_from = ${state}, taken_down_at = now(), taken_down_reason = ${storedReason(details)}`;
    case "bringBack":
      return withoutTakedown;
    case "delete":
      return sql`deleted_at = now()`;
  }
}

/** The rows go at once, so that nothing finds a file; the row of the item stays, so that an import refuses the same bytes meanwhile. */
async function deleteContents(tx: Transaction, mediaId: string): Promise<void> {
  // A step that runs hears of it, and its files go with the others.
  await tx.execute(sql`DELETE FROM media_encodings WHERE media_id = ${mediaId}`);
  await tx.execute(sql`DELETE FROM media_trailers WHERE media_id = ${mediaId}`);
  await tx.execute(sql`DELETE FROM media_files WHERE media_id = ${mediaId}`);
  await tx.execute(sql`DELETE FROM media_originals WHERE media_id = ${mediaId}`);
  await tx.execute(sql`DELETE FROM draft_links WHERE media_id = ${mediaId}`);
  await enqueue("delete-media-files", { mediaId }, tx);
}

function storedReason({ reason }: TransitionDetails): string | undefined {
  return reason === undefined ? undefined : normalizeLines(reason);
}

function msOf(time: SQL): SQL {
  return sql`floor(extract(epoch FROM ${time}) * 1000)::float8`;
}

function isoOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
