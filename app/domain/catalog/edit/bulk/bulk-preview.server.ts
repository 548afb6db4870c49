import { isDeepStrictEqual } from "node:util";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { UUID } from "#app/texts.ts";
import { db, type Executor } from "#db/client.server.ts";
import { findCreatorByName, findTagByName } from "../../media/names.server.ts";
import { type EditedItem, readItems } from "../item/items.server.ts";
import type { FieldValue } from "../item/sections.ts";
import type { Problem } from "../problems/problems.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { previewTransitions, type TransitionDetails } from "../states/transitions.server.ts";
import type { StudioFilters } from "../studio-list/studio-filters.ts";
import { listMatching } from "../studio-list/studio-list.server.ts";
import {
  BULK_LIMITS,
  type BulkChange,
  bulkChangeProblem,
  bulkEdit,
  type FieldChange,
  isStateChange,
  rightFor,
  type StateChange,
} from "./bulk-change.ts";

export type BulkSelection = { ids: string[] } | { filters: StudioFilters };

export interface BulkPreviewItem {
  id: string;
  title: string;
  field: string;
  /** Dates are in ISO 8601. */
  before: FieldValue;
  after: FieldValue;
  /** Of an item that comes back: its planned date, or the one that it has missed. */
  publishAt?: Date;
  missed?: Date;
  /** The problems with which it would be published. */
  missing?: Problem[];
  isChanged: boolean;
  problem: string | null;
}

export type BulkPreview = { items: BulkPreviewItem[]; problem: null } | { items: []; problem: string };

export async function previewBulk(
  actor: Actor,
  selection: BulkSelection,
  change: BulkChange,
): Promise<BulkPreview> {
  const prepared = await prepareBulk(actor, selection, change);
  if (prepared.problem !== null) return { items: [], problem: prepared.problem };
  const { items } = prepared;
  const named = await withKnownName(db, change);
  const previewed = isStateChange(named)
    ? await previewStates(actor, items, named)
    : items.map((item) => previewField(item, named));
  return { items: previewed, problem: null };
}

type Prepared = { items: EditedItem[]; problem: null } | { problem: string };

export async function prepareBulk(
  actor: Actor,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Prepared> {
  if (!mayDo(actor, rightFor(change))) {
    return { problem: NOT_ALLOWED };
  }
  const problem = bulkChangeProblem(change);
  if (problem !== null) return { problem };
  const ids =
    "ids" in selection
      ? [...new Set(selection.ids.filter((id) => UUID.test(id)))]
      : await listMatching(selection.filters, BULK_LIMITS.items + 1);
  if (ids.length > BULK_LIMITS.items) {
    return { problem: `You can change up to ${BULK_LIMITS.items.toLocaleString("en")} items at once.` };
  }
  const items = await readItems(db, ids);
  return items.length === 0 ? { problem: "Choose the items to change." } : { items, problem: null };
}

/** Replaces an alias with the creator's name, and spells a tag as it is stored. */
export async function withKnownName<Change extends BulkChange>(
  executor: Executor,
  change: Change,
): Promise<Change> {
  if (!("name" in change)) return change;
  const name = normalizeName(change.name);
  const isTag = change.kind === "addTag" || change.kind === "removeTag";
  const known = await (isTag ? findTagByName(executor, name) : findCreatorByName(executor, name));
  return { ...change, name: known?.name ?? name };
}

export function transitionOf(change: StateChange) {
  const details: TransitionDetails =
    change.kind === "publishAt"
      ? { publishAt: new Date(change.publishAt) }
      : { ...(change.reason === undefined ? {} : { reason: change.reason }) };
  return { name: change.kind === "publishAt" ? ("schedule" as const) : change.transition, details };
}

async function previewStates(
  actor: Actor,
  items: EditedItem[],
  change: StateChange,
): Promise<BulkPreviewItem[]> {
  const { name, details } = transitionOf(change);
  const ids = items.map(({ id }) => id);
  const results = await previewTransitions(actor, ids, name, details);
  return items.map(({ id, title, state, publishAt }, index) => {
    const result = results[index];
    const problem = result?.done === false ? result.problem : null;
    const isDate = change.kind === "publishAt";
    const before = isDate ? (publishAt?.toISOString() ?? null) : state;
    const after = result?.done ? (isDate ? change.publishAt : result.state) : before;
    const field = isDate ? "publishAt" : "state";
    const plan = result?.done && result.state === "scheduled" && !isDate && publishAt ? { publishAt } : {};
    const { missed, missing } = result?.done ? result : {};
    const notes = { ...(missed && { missed }), ...(missing && { missing }) };
    return { id, title, field, before, after, ...plan, ...notes, isChanged: problem === null, problem };
  });
}

function previewField(item: EditedItem, change: FieldChange): BulkPreviewItem {
  const { field, before, after, problem } = bulkEdit(item, change);
  const isChanged = problem === null && !isDeepStrictEqual(before, after);
  return { id: item.id, title: item.title, field, before, after, isChanged, problem };
}
