import { type Column, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { sessions, signinTokens, users } from "#db/schema/auth.ts";
import {
  billingNotices,
  checkouts,
  customers,
  invoices,
  subscriptions,
  withdrawals,
} from "#db/schema/billing.ts";
import { favorites } from "#db/schema/favorites.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { views } from "#db/schema/viewing.ts";

/**
 * Everything the site knows of a person, by table. Without what opens a session: the hashes of cookies, of links and
 * codes, and the text of the mails that hold them.
 */
export async function exportOwnData(userId: string) {
  const [rows, devices, requests, mails] = await Promise.all([
    exportOwnRows(userId),
    db.select().from(sessions).where(eq(sessions.userId, userId)),
    db
      .select({
        createdAt: signinTokens.createdAt,
        expiresAt: signinTokens.expiresAt,
        usedAt: signinTokens.usedAt,
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
  ]);
  return {
    sessions: devices.map(({ tokenHash: _hidden, ...device }) => device),
    signin_tokens: requests,
    mail_outbox: mails,
    ...rows,
  };
}

/** Whole rows, of the tables that hold nothing but what is the person's. */
async function exportOwnRows(userId: string) {
  const [person, favorited, viewed, ...billing] = await Promise.all([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(favorites).where(eq(favorites.userId, userId)),
    db.select().from(views).where(eq(views.userId, userId)),
    db.select().from(customers).where(eq(customers.userId, userId)),
    db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    db.select().from(checkouts).where(eq(checkouts.userId, userId)),
    db.select().from(invoices).where(eq(invoices.userId, userId)),
    db.select().from(billingNotices).where(eq(billingNotices.userId, userId)),
    db.select().from(withdrawals).where(eq(withdrawals.userId, userId)),
  ]);
  const [customer, subscribed, bought, invoiced, told, withdrawn] = billing;
  return {
    users: person,
    favorites: favorited,
    views: viewed,
    customers: customer,
    subscriptions: subscribed,
    checkouts: bought,
    invoices: invoiced,
    billing_notices: told,
    withdrawals: withdrawn,
  };
}

/** What was asked for or sent before there was an account knows the person by the address only. */
function isAddressOf(address: Column, userId: string) {
  return sql`lower(${address}) = (SELECT lower(${users.email}) FROM ${users} WHERE ${users.id} = ${userId})`;
}
