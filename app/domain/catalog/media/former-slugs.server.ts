import { type SQL, sql } from "drizzle-orm";
import type { NameKind } from "#app/paths.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { readRow, text } from "#db/rows.ts";

const TABLES: Record<NameKind, SQL> = { creator: sql`creators`, tag: sql`tags` };

/** Null when the slug has a new owner, never existed, or `mayBeSeen` fails for the row `n`. */
export function movedSlug(kind: NameKind, slug: string, mayBeSeen = sql`true`): SQL {
  const table = TABLES[kind];
  return sql`(SELECT n.slug FROM former_slugs f JOIN ${table} n ON n.id = f.target_id
    WHERE f.kind = ${kind} AND f.slug = ${slug} AND ${mayBeSeen}
      AND NOT EXISTS (SELECT FROM ${table} present WHERE present.slug = f.slug))`;
}

export function findMergeTarget(kind: NameKind, id: string): Promise<string | null> {
  return readRow(db, text)`
    SELECT target_id FROM former_slugs WHERE kind = ${kind} AND slug = ${id}`;
}

/** From now on `from` leads to the owner of `to`, even if it led to another one before. */
export async function keepFormerSlug(
  tx: Transaction,
  kind: NameKind,
  targetId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from === to) return;
  await tx.execute(sql`
    INSERT INTO former_slugs (kind, slug, target_id) VALUES (${kind}, ${from}, ${targetId})
    ON CONFLICT (kind, slug) DO UPDATE SET target_id = excluded.target_id, created_at = now()`);
  await tx.execute(
    sql`DELETE FROM former_slugs WHERE kind = ${kind} AND slug = ${to} AND target_id = ${targetId}`,
  );
}

/** Earlier slugs lead straight to the target, without a chain of redirects. */
export async function moveFormerSlugs(
  tx: Transaction,
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<void> {
  await tx.execute(sql`UPDATE former_slugs SET target_id = ${targetId}
    WHERE kind = ${kind} AND target_id = ${subjectId}`);
}

export async function dropFormerSlugs(tx: Transaction, kind: NameKind, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM former_slugs WHERE kind = ${kind} AND target_id = ${id}`);
}
