import { and, type Column, eq, getTableColumns, or, sql } from "drizzle-orm";
import { listFacts } from "#app/domain/billing/subscriptions/own-facts.server.ts";
import { db } from "#db/client.server.ts";
import { knownBrowsers, sessions, signinTokens, users } from "#db/schema/auth.ts";
import { billingMails } from "#db/schema/billing-mails.ts";
import { cancellationReasons, withdrawals } from "#db/schema/cancellations.ts";
import { draftLinks, photos } from "#db/schema/catalog.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { favorites, photoFavorites } from "#db/schema/favorites.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { auditLog } from "#db/schema/staff.ts";
import { subscriptionChanges, subscriptions } from "#db/schema/subscriptions.ts";
import { uploadBatches, uploads } from "#db/schema/uploads.ts";
import { views } from "#db/schema/viewing.ts";

/** All stored data about a person, by table, without token hashes and email bodies, which could open a session. */
export async function exportOwnData(userId: string) {
  const [rows, sent, devices, browsers, requests, mails, drafts, audited] = await Promise.all([
    exportOwnRows(userId),
    exportUploads(userId),
    db.select().from(sessions).where(eq(sessions.userId, userId)),
    db
      .select({ lastSignInAt: knownBrowsers.lastSignInAt })
      .from(knownBrowsers)
      .where(eq(knownBrowsers.userId, userId))
      .orderBy(knownBrowsers.lastSignInAt),
    db
      .select({
        createdAt: signinTokens.createdAt,
        expiresAt: signinTokens.expiresAt,
        usedAt: signinTokens.usedAt,
        linkUsedAt: signinTokens.linkUsedAt,
        linkUsedDevice: signinTokens.linkUsedDevice,
        revokedAt: signinTokens.revokedAt,
        device: signinTokens.device,
        network: signinTokens.network,
      })
      .from(signinTokens)
      .where(isAddressOf(signinTokens.email, userId))
      .orderBy(signinTokens.createdAt),
    db
      .select({
        kind: mailOutbox.kind,
        subject: mailOutbox.subject,
        createdAt: mailOutbox.createdAt,
        sentAt: mailOutbox.sentAt,
      })
      .from(mailOutbox)
      .where(isAddressOf(mailOutbox.to, userId))
      .orderBy(mailOutbox.createdAt),
    db
      .select({
        mediaId: draftLinks.mediaId,
        createdAt: draftLinks.createdAt,
        expiresAt: draftLinks.expiresAt,
        revokedAt: draftLinks.revokedAt,
      })
      .from(draftLinks)
      .where(eq(draftLinks.makerId, userId))
      .orderBy(draftLinks.createdAt),
    // Without the actor, who may be somebody else.
    db
      .select({
        at: auditLog.at,
        action: auditLog.action,
        subjectKind: auditLog.subjectKind,
        subjectId: auditLog.subjectId,
        subjectName: auditLog.subjectName,
        before: auditLog.before,
        after: auditLog.after,
      })
      .from(auditLog)
      .where(
        or(
          eq(auditLog.actorId, userId),
          and(eq(auditLog.subjectKind, "user"), eq(auditLog.subjectId, userId)),
        ),
      )
      .orderBy(auditLog.id),
  ]);
  return {
    sessions: devices.map(({ tokenHash: _hidden, ...device }) => device),
    known_browsers: browsers,
    signin_tokens: requests,
    mail_outbox: mails,
    draft_links: drafts,
    audit_log: audited,
    ...sent,
    ...rows,
  };
}

async function exportOwnRows(userId: string) {
  const [person, favorited, favoritePhotos, viewed, ...billing] = await Promise.all([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(favorites).where(eq(favorites.userId, userId)),
    db
      .select({
        ...getTableColumns(photoFavorites),
        mediaId: photos.mediaId,
        photo: photos.number,
        position: photos.position,
      })
      .from(photoFavorites)
      .innerJoin(photos, eq(photos.id, photoFavorites.photoId))
      .where(eq(photoFavorites.userId, userId)),
    db.select().from(views).where(eq(views.userId, userId)),
    db.select().from(customers).where(eq(customers.userId, userId)),
    db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    db.select().from(checkouts).where(eq(checkouts.userId, userId)),
    db.select().from(invoices).where(eq(invoices.userId, userId)),
    listFacts(userId),
    db.select().from(billingMails).where(eq(billingMails.userId, userId)),
    db.select().from(withdrawals).where(eq(withdrawals.userId, userId)),
    db
      .select(getTableColumns(subscriptionChanges))
      .from(subscriptionChanges)
      .innerJoin(subscriptions, eq(subscriptions.id, subscriptionChanges.subscriptionId))
      .where(eq(subscriptions.userId, userId))
      .orderBy(subscriptionChanges.subscriptionId, subscriptionChanges.number),
    db
      .select(getTableColumns(cancellationReasons))
      .from(cancellationReasons)
      .innerJoin(subscriptions, eq(subscriptions.id, cancellationReasons.subscriptionId))
      .where(eq(subscriptions.userId, userId)),
  ]);
  const [customer, subscribed, bought, invoiced, told, mailed, withdrawn, changes, reasons] = billing;
  return {
    users: person,
    favorites: favorited,
    photo_favorites: favoritePhotos,
    views: viewed,
    customers: customer,
    subscriptions: subscribed,
    checkouts: bought,
    invoices: invoiced,
    billing_facts: told,
    billing_mails: mailed,
    withdrawals: withdrawn,
    subscription_changes: changes,
    cancellation_reasons: reasons,
  };
}

async function exportUploads(userId: string) {
  const own = eq(uploadBatches.userId, userId);
  const { path, bytes, receivedBytes, state, note, mediaId } = getTableColumns(uploads);
  const [batches, files] = await Promise.all([
    db.select().from(uploadBatches).where(own),
    db
      .select({ path, bytes, receivedBytes, state, note, mediaId })
      .from(uploads)
      .innerJoin(uploadBatches, eq(uploadBatches.id, uploads.batchId))
      .where(own)
      .orderBy(uploads.batchId, uploads.position),
  ]);
  return { upload_batches: batches, uploads: files };
}

/** By address, because requests and emails may be older than the account. */
function isAddressOf(address: Column, userId: string) {
  return sql`lower(${address}) = (SELECT lower(${users.email}) FROM ${users} WHERE ${users.id} = ${userId})`;
}
