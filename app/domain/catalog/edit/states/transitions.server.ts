import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { addDays, formatZoneTime } from "#app/dates.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { normalizeLines } from "#app/domain/media/item-texts.ts";
import { site } from "#app/domain/site/site.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { UUID } from "#app/texts.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { flag, readOne, readRows, text, timestamp } from "#db/rows.ts";
import { mediaStatus } from "#db/schema/catalog.ts";
import { refreshCountsOf } from "../../media/counts.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { hasContents } from "../../media/visibility.server.ts";
import { itemProblems, Problems } from "../problems/problems.server.ts";
import { missingIn, type Problem, problemText } from "../problems/problems.ts";
import { revokeLinksOf } from "./draft-links.server.ts";
import {
  DAYS_BEFORE_DELETION,
  NO_ITEM,
  NOT_ALLOWED,
  reasonProblem,
  STATE_WORDS,
  TRANSITIONS,
  type TransitionName,
} from "./media-states.ts";

export type TransitionResult =
  | ({ done: true } & Outcome)
  | { done: false; problem: string; missing?: Problem[] };

interface Outcome {
  state: MediaState;
  /** The date of a plan that passed while the item was hidden or taken down. */
  missed?: Date;
  /** The problems with which it is published. */
  missing?: Problem[];
}

export interface TransitionDetails {
  publishAt?: Date;
  reason?: string;
  isDue?: true;
  /** Refuses to publish an item with problems. */
  onlyComplete?: boolean;
}

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

export async function publishDueMedia(actor: Actor, id: string): Promise<TransitionResult | null> {
  const result = await changeState(actor, id, "publish", { isDue: true });
  return !result.done && result.problem === NOT_DUE ? null : result;
}

export async function previewTransition(
  actor: Actor,
  id: string,
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult> {
  return (await previewTransitions(actor, [id], name, details))[0] ?? { done: false, problem: NO_ITEM };
}

export async function previewTransitions(
  actor: Actor,
  ids: string[],
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<TransitionResult[]> {
  const items = new Map((await findItems(db, ids, sql``)).map((item) => [item.id, item]));
  return ids.map((id) => preview(actor, items.get(id) ?? null, name, details));
}

export function preview(
  actor: Actor,
  item: StatedItem | null,
  name: TransitionName,
  details: TransitionDetails = {},
): TransitionResult {
  const problem = problemOf(actor, item, name, details);
  if (problem !== null || item === null) return { done: false, problem: problem ?? NO_ITEM };
  return { done: true, ...outcomeOf(name, item) };
}

const NOT_DUE = "This item is not due.";

export const StatedItem = z.object({
  id: text,
  title: text,
  state: z.enum(mediaStatus.enumValues),
  publishAt: timestamp.nullable(),
  expireAt: timestamp.nullable(),
  hiddenFrom: z.enum(mediaStatus.enumValues).nullable(),
  takenDownFrom: z.enum(mediaStatus.enumValues).nullable(),
  takenDownAt: timestamp.nullable(),
  wasPublic: flag,
  hasContents: flag,
  problems: Problems,
  now: timestamp,
});
type StatedItem = z.infer<typeof StatedItem>;

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
  const outcome = outcomeOf(name, item);
  const { state, missing } = outcome;
  if (details.onlyComplete && missing) {
    const verb = name === "schedule" ? "schedule" : "publish";
    return {
      ...{ done: false, missing },
      problem: `${problemText(missing)} Fix this first, or tick the box to ${verb} it anyway.`,
    };
  }
  // Not now(): the transaction may have waited for the row.
  const publishAt = await readOne(tx, timestamp.nullable())`
    UPDATE media m SET status = ${state}, updated_at = clock_timestamp(), publish_problem = NULL,
      ${columnsOf(name, item, details)}
    WHERE id = ${id} RETURNING m.publish_at`;
  if (item.state === "draft") await revokeLinksOf(tx, id);
  if (name === "delete") await deleteContents(tx, id);
  await refreshCountsOf([id], tx);
  await recordAudit(tx, {
    actor,
    action: TRANSITIONS[name].action,
    subjectKind: "media",
    subjectId: id,
    subjectName: item.title,
    before: { state: item.state, publishAt: item.publishAt },
    after: { state, publishAt, reason: storedReason(details) },
  });
  return { done: true, ...outcome };
}

async function findItems(executor: Executor, ids: string[], lock: SQL): Promise<StatedItem[]> {
  const known = ids.filter((id) => UUID.test(id));
  return readRows(executor, StatedItem)`${selectStates(known)} ${lock}`;
}

/** The rows of StatedItem. */
export function selectStates(ids: string[]): SQL {
  return sql`
    SELECT m.id, m.title, m.status AS state, m.publish_at AS "publishAt", m.expire_at AS "expireAt",
      m.hidden_from AS "hiddenFrom", m.taken_down_from AS "takenDownFrom", m.taken_down_at AS "takenDownAt",
      m.first_published_at IS NOT NULL AS "wasPublic", ${hasContents} AS "hasContents", ${itemProblems} AS problems,
      clock_timestamp() AS now
    FROM media m WHERE m.id = ANY(${uuids(ids)})`;
}

function problemOf(
  actor: Actor,
  item: StatedItem | null,
  name: TransitionName,
  { publishAt, reason, isDue }: TransitionDetails,
): string | null {
  const { from, right, participle } = TRANSITIONS[name];
  if (!mayDo(actor, right)) return NOT_ALLOWED;
  if (item === null) return NO_ITEM;
  const hasCome = item.publishAt !== null && item.publishAt <= item.now;
  if (isDue && (item.state !== "scheduled" || !hasCome)) return NOT_DUE;
  if (!from.includes(item.state)) {
    return `This item is ${STATE_WORDS[item.state]}, so it cannot be ${participle}.`;
  }
  if (name === "publish" || name === "schedule") return publicationProblem(item, publishAt);
  if (name === "takeDown") return reasonProblem(reason ?? "");
  return name === "delete" ? deletionProblem(item) : null;
}

/** Without `publishAt`, the item would be published now. */
export function publicationProblem(
  { hasContents, expireAt, now }: Pick<StatedItem, "hasContents" | "expireAt" | "now">,
  publishAt: Date | undefined,
): string | null {
  if (!hasContents) return "This item has no files yet, so it cannot be published.";
  if (publishAt && !(publishAt > now)) {
    return "This date has passed. Choose a later one, or publish the item now.";
  }
  if (expireAt === null || expireAt > (publishAt ?? now)) return null;
  return publishAt
    ? "This item expires before that date. Choose an earlier date, or change the expiry date first."
    : "The expiry date of this item has passed. Change or remove it first.";
}

function deletionProblem({ state, takenDownAt, wasPublic, now }: StatedItem): string | null {
  if (state === "draft") {
    if (!wasPublic) return null;
    return `This item was public once. Take it down first. You can delete it ${DAYS_BEFORE_DELETION} days later.`;
  }
  const day = addDays(takenDownAt ?? now, DAYS_BEFORE_DELETION);
  if (day <= now) return null;
  const moment = formatZoneTime(day, site.timeZone);
  return `You can delete this item from ${moment}, ${DAYS_BEFORE_DELETION} days after it was taken down.`;
}

/** A plan whose date has passed is dropped: what was hidden or taken down must not be published by itself. */
function outcomeOf(name: TransitionName, item: StatedItem): Outcome {
  const state = stateAfter(name, item);
  if (name === "publish" || name === "schedule") {
    const missing = missingIn(item.problems);
    return missing.length === 0 ? { state } : { state, missing };
  }
  const { publishAt, now } = item;
  const isRestored = name === "show" || name === "bringBack";
  if (!isRestored || state !== "scheduled" || publishAt === null || publishAt > now) return { state };
  return { state: "draft", missed: publishAt };
}

function stateAfter(name: TransitionName, { hiddenFrom, takenDownFrom }: StatedItem): MediaState {
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

function columnsOf(name: TransitionName, item: StatedItem, details: TransitionDetails): SQL {
  const { state, hiddenFrom } = item;
  const date = outcomeOf(name, item).missed ? sql`NULL` : sql`publish_at`;
  switch (name) {
    case "publish":
      // A past date stays, so that an item that was public does not jump to the top of the lists.
      return sql`publish_at = CASE WHEN publish_at <= now() THEN publish_at ELSE now() END`;
    case "schedule":
      return sql`publish_at = ${details.publishAt?.toISOString()}::timestamptz`;
    case "makeDraft":
      // A planned date is dropped. An item that was public keeps its place in the lists.
      return (state === "hidden" ? hiddenFrom : state) === "scheduled"
        ? sql`hidden_from = NULL, publish_at = NULL`
        : sql`hidden_from = NULL,
        publish_at = CASE WHEN first_published_at IS NOT NULL AND publish_at <= now() THEN publish_at END`;
    case "hide":
      return sql`hidden_from = ${state}`;
    case "show":
      return sql`hidden_from = NULL, publish_at = ${date}`;
    case "takeDown":
      return sql`taken_down_from = ${state}, taken_down_at = now(), taken_down_reason = ${storedReason(details)}`;
    case "bringBack":
      return sql`${withoutTakedown}, publish_at = ${date}`;
    case "delete":
      return sql`deleted_at = now()`;
  }
}

/** Rows are deleted at once, so that nothing finds a file. The item's row stays, so that the import refuses the same bytes. */
async function deleteContents(tx: Transaction, mediaId: string): Promise<void> {
  // A running step notices, and its files are deleted with the others.
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
