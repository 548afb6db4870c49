import { sql } from "drizzle-orm";
import { hashSecret, newSecret } from "#app/domain/auth/secrets.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import type { MediaType } from "#app/paths.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { UUID } from "../../media/served-file.server.ts";

export const DRAFT_LINK_DAYS = 7;

interface DraftLink {
  id: string;
  createdAt: Date;
  expiresAt: Date;
}

/** For a link `d` and a row `m` of media. */
const isValid = sql`d.media_id = m.id AND m.status = 'draft' AND d.revoked_at IS NULL AND d.expires_at > now()`;

/** Null unless it is a draft and the actor may edit. The token is not stored. */
export async function makeDraftLink(
  actor: Actor,
  mediaId: string,
): Promise<{ token: string; expiresAt: Date } | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const token = newSecret();
  return db.transaction(async (tx) => {
    const [link] = await tx.execute<{ id: string; title: string; expiresAt: string }>(sql`
      INSERT INTO draft_links (media_id, token_hash, expires_at)
      SELECT id, ${hashSecret(token)}, now() + ${DRAFT_LINK_DAYS} * interval '1 day' FROM media
      WHERE id = ${mediaId} AND status = 'draft' FOR SHARE
      RETURNING id, expires_at AS "expiresAt",
        (SELECT m.title FROM media m WHERE m.id = draft_links.media_id) AS title`);
    if (!link) return null;
    const expiresAt = new Date(link.expiresAt);
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

export async function listDraftLinks(mediaId: string): Promise<DraftLink[]> {
  const rows = await db.execute<{ id: string; createdAt: string; expiresAt: string }>(sql`
    SELECT d.id, d.created_at AS "createdAt", d.expires_at AS "expiresAt"
    FROM draft_links d JOIN media m ON ${isValid} WHERE m.id = ${mediaId} ORDER BY d.created_at DESC`);
  return rows.map(({ id, createdAt, expiresAt }) => ({
    id,
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
  }));
}

export async function revokeDraftLink(actor: Actor, id: string): Promise<boolean> {
  if (!mayDo(actor, "media.edit") || !UUID.test(id)) return false;
  return db.transaction(async (tx) => {
    const [revoked] = await tx.execute<{ mediaId: string; title: string }>(sql`
      UPDATE draft_links SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL
      RETURNING media_id AS "mediaId",
        (SELECT m.title FROM media m WHERE m.id = draft_links.media_id) AS title`);
    if (!revoked) return false;
    await recordAudit(tx, {
      actor,
      action: "draftLink.revoked",
      subjectKind: "media",
      subjectId: revoked.mediaId,
      subjectName: revoked.title,
      before: { link: id },
    });
    return true;
  });
}

/** Links stay ended when the item becomes a draft again. */
export async function endDraftLinks(tx: Transaction, mediaId: string): Promise<void> {
  await tx.execute(
    sql`UPDATE draft_links SET revoked_at = now() WHERE media_id = ${mediaId} AND revoked_at IS NULL`,
  );
}

export async function findDraft(
  token: string,
): Promise<{ mediaId: string; type: MediaType; slug: string } | null> {
  const [draft] = await db.execute<{ mediaId: string; type: MediaType; slug: string }>(sql`
    SELECT m.id AS "mediaId", m.type, m.slug
    FROM draft_links d JOIN media m ON ${isValid} WHERE d.token_hash = ${hashSecret(token)}`);
  return draft ?? null;
}

/** Never cached, so that a link ends with its next byte. */
export async function isOpenByDraftLink(mediaId: string, token: string): Promise<boolean> {
  const found = await db.execute(sql`
    SELECT FROM draft_links d JOIN media m ON ${isValid}
    WHERE m.id = ${mediaId} AND d.token_hash = ${hashSecret(token)}`);
  return found.length > 0;
}

export async function cleanUpDraftLinks(): Promise<void> {
  await db.execute(sql`DELETE FROM draft_links WHERE expires_at < now()`);
}
