import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { isGeneratedAlt } from "#app/domain/media/item-texts.ts";
import { readToday } from "#app/domain/site/site.server.ts";
import { db, type Executor, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { flag, json, readRow } from "#db/rows.ts";
import {
  type EditedItem,
  lockItems,
  readItem,
  readPhotoValues,
  valuesOf,
} from "../edit/item/items.server.ts";
import { type FieldValue, normalized, photoIdOf } from "../edit/item/sections.ts";
import { recordEdit, writeFields } from "../edit/item/write-fields.server.ts";
import { applyTransition } from "../edit/states/transitions.server.ts";
import { compareEdits } from "./compare-edits.server.ts";
import { IMPORT_ACTOR, type Release, releaseFor, writeImported } from "./save-imported.server.ts";
import {
  type Facts,
  normalizedFacts,
  type PhotoFacts,
  requireValidFacts,
  SECTION_ORDER,
  sectionOf,
  withKnownNames,
} from "./sidecar-facts.server.ts";

interface Wanted {
  facts: Partial<Facts>;
  photoFacts: PhotoFacts;
}

interface UpdateOptions {
  isDryRun: boolean;
  isForced: boolean;
  isPublishing: boolean;
}

export interface Updated {
  changed: string[];
  kept: { field: string; reason: string }[];
  release: Release | null;
}

const EDITED = "changed in the studio (--force overwrites it)";
const WAS_PUBLIC = "cannot change after the item has been public";
const DELETED = "it has been deleted in the meantime";
const NOT_PLANNED = "has no effect in the item's current state";
const NO_PHOTO = "the item is already on the site, and none of its photos was made from this picture";

/** Applies a sidecar's facts, except to fields that somebody changed since the last import. A dry run rolls back. Throws a FactsError. */
export async function updateImported(id: string, wanted: Wanted, options: UpdateOptions): Promise<Updated> {
  const plan = await planUpdate(db, id, wanted, options);
  // Most items of a repeated import have not changed, and need no lock.
  if (isIdle(plan)) return { changed: [], kept: plan.kept, release: null };
  let updated: Updated | null = null;
  try {
    return await retryDeadlock(async (tx) => {
      await lockItems(tx, [id]);
      updated = await applyPlan(tx, await planUpdate(tx, id, wanted, options));
      if (options.isDryRun) throw new DryRun();
      return updated;
    });
  } catch (error) {
    if (error instanceof DryRun && updated !== null) return updated;
    throw error;
  }
}

class DryRun extends Error {}

interface Plan {
  item: EditedItem;
  stored: Record<string, FieldValue>;
  changed: Record<string, FieldValue>;
  kept: { field: string; reason: string }[];
  /** The new date of a scheduled item. */
  planFor: string | null;
  isReleased: boolean;
  imported: Record<string, unknown> | null;
}

function isIdle({ changed, planFor, isReleased, imported }: Plan): boolean {
  return Object.keys(changed).length === 0 && planFor === null && !isReleased && imported === null;
}

async function planUpdate(
  executor: Executor,
  id: string,
  wanted: Wanted,
  { isForced, isPublishing }: UpdateOptions,
): Promise<Plan> {
  const item = await readItem(executor, id);
  if (item === null) throw new Error(DELETED);
  const { imported, wasPublic } = await readImported(executor, id);
  const facts = factsOf(item);
  const complete = normalizedFacts(await withKnownNames(executor, { ...facts, ...wanted.facts }));
  const fields = Object.keys(wanted.facts) as (keyof Facts)[];
  const today = await readToday(executor);
  requireValidFacts(complete, fields, { durationSeconds: item.durationSeconds, today });
  const photoFields = Object.keys(wanted.photoFacts);
  const photoValues = await readPhotoValues(executor, item.id, photoFields);

  const stored: Record<string, FieldValue> = { ...facts, ...photoValues };
  const known = [...fields, ...photoFields.filter((field) => field in photoValues)];
  const sent: Record<string, FieldValue> = pick({ ...complete, ...wanted.photoFacts }, known);
  const opened = isForced ? stored : await openedValues(executor, imported, stored);
  const { changed, conflicts } = compareEdits(opened, stored, sent);
  const kept = conflicts.map(({ field }) => ({ field, reason: EDITED }));
  for (const field of photoFields.filter((each) => !(each in photoValues)))
    kept.push({ field, reason: NO_PHOTO });

  let planFor: string | null = null;
  if ("publishAt" in changed && (wasPublic || item.state !== "draft")) {
    if (item.state === "scheduled" && !wasPublic) planFor = changed.publishAt as string | null;
    else kept.push({ field: "publishAt", reason: wasPublic ? WAS_PUBLIC : NOT_PLANNED });
    delete changed.publishAt;
  }
  const next = { ...imported, ...matching(sent, stored, changed) };
  return {
    item,
    stored,
    changed,
    kept,
    planFor,
    isReleased: isPublishing && item.state === "draft" && !wasPublic,
    imported: isDeepStrictEqual(next, imported) ? null : next,
  };
}

/** Writes the audit log last, because its lock must come after all others. */
async function applyPlan(tx: Transaction, plan: Plan): Promise<Updated> {
  const { item, changed, stored, kept, planFor, imported } = plan;
  const facts = changed as Partial<Facts>;
  for (const name of SECTION_ORDER) {
    const section = sectionOf(name, facts);
    if (Object.keys(section).length > 0) await writeFields(tx, item, name, section);
  }
  const photoFacts = pick(
    changed,
    Object.keys(changed).filter((field) => photoIdOf(field) !== null),
  );
  if (Object.keys(photoFacts).length > 0) await writeFields(tx, item, "photos", photoFacts as PhotoFacts);
  if (facts.publishAt !== undefined) await writeDate(tx, item.id, facts.publishAt);
  if (imported !== null) await writeImported(tx, item.id, imported);

  const fields = Object.keys(changed);
  let release: Release | null = null;
  if (planFor !== null) {
    const moved = await applyTransition(tx, IMPORT_ACTOR, item.id, "schedule", {
      publishAt: new Date(planFor),
    });
    if (moved.done) {
      fields.push("publishAt");
      await tx.execute(sql`UPDATE media SET imported = imported || ${JSON.stringify({ publishAt: planFor })}::jsonb
        WHERE id = ${item.id}`);
    } else kept.push({ field: "publishAt", reason: moved.problem });
  } else if (plan.isReleased) {
    const { name, details } = releaseFor(
      facts.publishAt ?? item.publishAt?.toISOString() ?? null,
      await readDatabaseTime(tx),
    );
    const result = await applyTransition(tx, IMPORT_ACTOR, item.id, name, details);
    release = result.done
      ? { state: result.state, problem: null }
      : { state: item.state, problem: result.problem };
  }
  if (Object.keys(changed).length > 0) await recordEdit(tx, IMPORT_ACTOR, item, changed, stored);
  return { changed: fields, kept, release };
}

const Imported = z.object({ imported: json<Record<string, FieldValue>>(), wasPublic: flag });

async function readImported(executor: Executor, id: string) {
  const row = await readRow(executor, Imported)`
    SELECT imported, first_published_at IS NOT NULL AS "wasPublic" FROM media WHERE id = ${id}`;
  if (row === null) throw new Error(DELETED);
  return row;
}

function factsOf(item: EditedItem): Facts {
  const values: Omit<Facts, "publishAt"> = Object.assign({}, ...Object.values(valuesOf(item)));
  return normalizedFacts({ ...values, publishAt: item.publishAt?.toISOString() ?? null });
}

/** As the last import left them. A renamed creator or tag counts as the same. */
async function openedValues(
  executor: Executor,
  imported: Record<string, FieldValue>,
  stored: Record<string, FieldValue>,
): Promise<Record<string, FieldValue>> {
  const facts = await withKnownNames(executor, imported as Partial<Facts>);
  if (facts.creators) Object.assign(facts, normalized("credits", { creators: facts.creators }));
  if (facts.tags) Object.assign(facts, normalized("tags", { tags: facts.tags }));
  // A text from the import itself is no edit.
  const own = Object.entries(stored).flatMap(([field, value]) => {
    if (photoIdOf(field) === null) return [];
    return [[field, typeof value === "boolean" ? false : isGeneratedAlt(String(value)) ? value : ""]];
  });
  return { ...Object.fromEntries(own), ...facts };
}

function matching(
  sent: Record<string, FieldValue>,
  stored: Record<string, FieldValue>,
  changed: Record<string, FieldValue>,
): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) => field in changed || isDeepStrictEqual(value, stored[field]),
    ),
  );
}

/** A draft's date counts when the item is published. */
async function writeDate(tx: Transaction, id: string, publishAt: string | null): Promise<void> {
  await tx.execute(sql`UPDATE media SET publish_at = ${publishAt}::timestamptz, updated_at = clock_timestamp()
    WHERE id = ${id}`);
}

function pick<Value>(values: Record<string, Value>, fields: string[]): Record<string, Value> {
  return Object.fromEntries(
    fields.flatMap((field) => (field in values ? [[field, values[field] as Value]] : [])),
  );
}
