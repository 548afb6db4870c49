import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { hashSecret, newSecret } from "#app/domain/auth/secrets.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo, rolesWith } from "#app/domain/staff/rights.ts";
import { isPresent } from "#app/domain/staff/roles.server.ts";
import { UUID } from "#app/texts.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { readRow, text, timestamp } from "#db/rows.ts";
import { mediaType } from "#db/schema/catalog.ts";

export const DRAFT_LINK_DAYS = 7;

/** `maker`: an email address. */
export const DraftLink = z.object({
  id: text,
  createdAt: timestamp,
  expiresAt: timestamp,
  maker: text.nullable(),
});
const MadeLink = DraftLink.pick({ id: true, expiresAt: true }).extend({ title: text });
const RevokedLink = z.object({ title: text });
const Draft = z.object({ mediaId: text, type: z.enum(mediaType.enumValues), slug: text });

/** For a link `d` and a row `m` of media. The maker's role is checked here too, because it can be lost while a link is being made. */
const isValid = sql`d.media_id = m.id AND m.status = 'draft' AND d.revoked_at IS NULL AND d.expires_at > now()
  AND (d.maker_id IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = d.maker_id AND ${isPresent(sql`u`)}
    AND u.role::text = ANY(${`{${rolesWith("media.edit").join()}}`}::text[])))`;

/** Null if the item is not a draft, or the actor may not edit it. Only the token's hash is stored. */
export async function makeDraftLink(
  actor: Actor,
  mediaId: string,
): Promise<{ token: string; expiresAt: Date } | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const token = newSecret();
  return db.transaction(async (tx) => {
    const link = await readRow(tx, MadeLink)`
      INSERT INTO draft_links (media_id, maker_id, token_hash, expires_at)
      SELECT id, ${actor.id}::uuid, ${hashSecret(token)}, now() + ${DRAFT_LINK_DAYS} * interval '1 day' FROM media
      WHERE id = ${mediaId} AND status = 'draft' FOR SHARE
      RETURNING id, expires_at AS "expiresAt",
        (SELECT m.title FROM media m WHERE m.id = draft_links.media_id) AS title`;
    if (!link) return null;
    const { expiresAt } = link;
    await recordAudit(tx, {
      actor,
      action: "draftLink.made",
      subjectKind: "media",
      subjectId: mediaId,
      subjectName: link.title,
      after: { link: link.id, expiresAt: expiresAt.toISOString() },
    });
    return { token, expiresAt };
  });
}

/** The rows of DraftLink. */
export function selectDraftLinks(mediaId: string): SQL {
  return sql`
    SELECT d.id, d.created_at AS "createdAt", d.expires_at AS "expiresAt", maker.email AS maker
    FROM draft_links d JOIN media m ON ${isValid} LEFT JOIN users maker ON maker.id = d.maker_id
    WHERE m.id = ${mediaId} ORDER BY d.created_at DESC`;
}

export async function revokeDraftLink(actor: Actor, mediaId: string, id: string): Promise<boolean> {
  if (!mayDo(actor, "media.edit") || ![mediaId, id].every((each) => UUID.test(each))) return false;
  return db.transaction(async (tx) => {
    const revoked = await readRow(tx, RevokedLink)`
      UPDATE draft_links SET revoked_at = now() WHERE id = ${id} AND media_id = ${mediaId} AND revoked_at IS NULL
      RETURNING (SELECT m.title FROM media m WHERE m.id = draft_links.media_id) AS title`;
    if (!revoked) return false;
    await recordAudit(tx, {
      actor,
      action: "draftLink.revoked",
      subjectKind: "media",
      subjectId: mediaId,
      subjectName: revoked.title,
      before: { link: id },
    });
    return true;
  });
}

/** Links stay revoked when the item becomes a draft again. */
export async function revokeLinksOf(tx: Transaction, mediaId: string): Promise<void> {
  await tx.execute(
    sql`UPDATE draft_links SET revoked_at = now() WHERE media_id = ${mediaId} AND revoked_at IS NULL`,
  );
}

export function findDraft(token: string): Promise<z.infer<typeof Draft> | null> {
  return readRow(db, Draft)`
    SELECT m.id AS "mediaId", m.type, m.slug
    FROM draft_links d JOIN media m ON ${isValid} WHERE d.token_hash = ${hashSecret(token)}`;
}

/** Never cached: the next request with a revoked link must fail. */
export async function isOpenByDraftLink(mediaId: string, token: string): Promise<boolean> {
  const found = await db.execute(sql`
    SELECT FROM draft_links d JOIN media m ON ${isValid}
    WHERE m.id = ${mediaId} AND d.token_hash = ${hashSecret(token)}`);
  return found.length > 0;
}

export async function cleanUpDraftLinks(): Promise<void> {
  await db.execute(sql`DELETE FROM draft_links WHERE expires_at < now()`);
}
