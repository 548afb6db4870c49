import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { maskAddress } from "#app/domain/mail/address.ts";
import { failingMailId } from "#app/domain/mail/outbox.server.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { db } from "#db/client.server.ts";
import { flag, readRow, text, timestamp } from "#db/rows.ts";
import { hashSecret } from "./secrets.server.ts";

/** For a link and its code. Emails may arrive more than ten minutes late: decision 127. */
export const SIGN_IN_MINUTES = 30;
export const SIGN_IN_LIFETIME = `${SIGN_IN_MINUTES} minutes`;
export const MAX_TRIES = 5;

/** A code works while its request is open; a link also needs to be unused. */
export const IS_OPEN = sql`used_at IS NULL AND revoked_at IS NULL AND expires_at > now() AND attempts < ${MAX_TRIES}`;

interface OpenRequest {
  maskedEmail: string;
  device: string;
  network: string | null;
  isSameBrowser: boolean;
  unsentMailId: string | null;
  isFromReserve: boolean;
  linkUse: LinkUse | null;
}

interface LinkUse {
  usedAt: Date;
  device: string;
}

/** `request` is null when the code no longer works either. */
export type MailedLink =
  | { isUsed: false; request: OpenRequest }
  | { isUsed: true; use: LinkUse; request: OpenRequest | null };

export async function findLink(nonce: string, browserHash: string | null): Promise<MailedLink | null> {
  const row = await findRequest(sql`token_hash = ${hashSecret(nonce)}`);
  if (!row) return null;
  const request = row.is_open ? openRequest(row, browserHash) : null;
  const use = linkUse(row);
  if (use !== null) return { isUsed: true, use, request };
  return request && { isUsed: false, request };
}

export async function findOpenRequest(browserHash: string): Promise<OpenRequest | null> {
  const row = await findRequest(sql`browser_hash = ${browserHash} AND ${IS_OPEN}`);
  return row ? openRequest(row, browserHash) : null;
}

const RequestRow = z.object({
  email: text,
  device: text,
  network: text.nullable(),
  browser_hash: text,
  used_at: timestamp.nullable(),
  link_used_at: timestamp.nullable(),
  link_used_device: text.nullable(),
  is_open: flag,
  is_from_reserve: flag,
  unsent_mail_id: text.nullable(),
});
type RequestRow = z.infer<typeof RequestRow>;

function findRequest(which: SQL): Promise<RequestRow | null> {
  return readRow(db, RequestRow)`
    SELECT email, device, network, browser_hash, used_at, link_used_at, link_used_device, ${IS_OPEN} AS is_open,
      is_from_reserve, ${failingMailId({ to: sql`signin_tokens.email`, createdAt: sql`signin_tokens.created_at` })} AS unsent_mail_id
    FROM signin_tokens WHERE ${which} ORDER BY created_at DESC LIMIT 1`;
}

function openRequest(row: RequestRow, browserHash: string | null): OpenRequest {
  return {
    maskedEmail: maskAddress(shownAddress(row.email)),
    device: row.device,
    network: row.network,
    isSameBrowser: row.browser_hash === browserHash,
    // The reserve sends only to members, so a failing email would reveal one.
    unsentMailId: row.is_from_reserve ? null : row.unsent_mail_id,
    isFromReserve: row.is_from_reserve,
    linkUse: linkUse(row),
  };
}

/** Using the code also uses up the link, in the browser that asked. */
function linkUse({ link_used_at, link_used_device, used_at, device }: RequestRow): LinkUse | null {
  const usedAt = link_used_at ?? used_at;
  return usedAt && { usedAt, device: link_used_device ?? device };
}
