import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { parseAddress } from "#app/config/mail-addresses.ts";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { number, readOne, timestamp } from "#db/rows.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import type { Mail } from "./mail-layout.tsx";
import { sendBySmtp } from "./smtp.server.ts";

const SHOWN = 50;
/** The server refuses this recipient or this sender. */
const REFUSED = "EENVELOPE";
const HINTS: Record<string, string> = {
  ETLS: "it offers no encryption, so set SMTP_URL to a server with smtps:// or STARTTLS",
};

/** With a transaction, the email and the job that sends it are both stored or neither. Returns the email's id. */
export async function enqueueMail(
  mail: Mail,
  executor: Executor,
  { isFromReserve }: { isFromReserve?: boolean } = {},
): Promise<string> {
  const mailId = await writeMail(mail, executor);
  await enqueue("send-mail", { mailId, isFromReserve }, executor);
  return mailId;
}

export async function writeMail(mail: Mail, executor: Executor): Promise<string> {
  const to = parseAddress(mail.to);
  if (to === null) throw new Error("An email needs exactly one recipient");
  const [row] = await executor
    .insert(mailOutbox)
    .values({ ...mail, to })
    .returning({ id: mailOutbox.id });
  if (!row) throw new Error("The email was not stored");
  return row.id;
}

/** At least once: a crash before the result is stored sends it again. Throws when the job must be retried. */
export async function deliverMail(mailId: string): Promise<void> {
  const [mail] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, mailId));
  if (!mail || mail.sentAt !== null) return;
  if (config.mail.smtpUrl === undefined) {
    // Only the demo has no mail server; its outbox page is the mailbox.
    await db.update(mailOutbox).set({ sentAt: sql`now()` }).where(eq(mailOutbox.id, mailId));
    return;
  }
  try {
    await sendBySmtp(config.mail.smtpUrl, mail);
  } catch (error) {
    const lastError = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    await db
      .update(mailOutbox)
      .set({ attempts: sql`${mailOutbox.attempts} + 1`, lastError })
      .where(eq(mailOutbox.id, mailId));
    const reason = [lastError, HINTS[lastError]].filter(Boolean).join(": ");
    throw new Error(`The mail server did not accept email ${mailId} (${reason})`);
  }
  await db
    .update(mailOutbox)
    .set({ sentAt: sql`now()`, attempts: sql`${mailOutbox.attempts} + 1`, html: "", text: "" })
    .where(eq(mailOutbox.id, mailId));
}

export async function findUnsentMail(mailId: string): Promise<{ to: string; attempts: number } | null> {
  const [mail] = await db
    .select({ to: mailOutbox.to, attempts: mailOutbox.attempts })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, mailId), isNull(mailOutbox.sentAt)));
  return mail ?? null;
}

export async function discardMail(mailId: string): Promise<void> {
  await db.delete(mailOutbox).where(eq(mailOutbox.id, mailId));
}

/** The email written in the same transaction as the row, while sending it fails; otherwise NULL. */
export function failingMailId({ to, createdAt }: { to: SQL; createdAt: SQL }): SQL {
  return sql`(SELECT m.id FROM mail_outbox m WHERE m.created_at = ${createdAt}
    AND m."to" = lower(${to}) AND m.sent_at IS NULL AND m.attempts > 0 LIMIT 1)`;
}

export async function listOutbox() {
  return db
    .select({
      id: mailOutbox.id,
      to: mailOutbox.to,
      subject: mailOutbox.subject,
      text: mailOutbox.text,
      createdAt: mailOutbox.createdAt,
    })
    .from(mailOutbox)
    .orderBy(desc(mailOutbox.createdAt))
    .limit(SHOWN);
}

export async function cleanUpOutbox(): Promise<void> {
  await db.delete(mailOutbox).where(sql`${mailOutbox.createdAt} < now() - interval '1 day'`);
}

const UnsentMails = z.object({ waiting: number, failing: number, oldestSeconds: number });

export function readUnsentMails(): Promise<z.infer<typeof UnsentMails>> {
  return readOne(db, UnsentMails)`
    SELECT count(*) FILTER (WHERE attempts = 0)::int AS waiting, count(*) FILTER (WHERE attempts > 0)::int AS failing,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM mail_outbox WHERE sent_at IS NULL`;
}

const LateMails = z.object({ amount: number, since: timestamp.nullable() });

/** Waiting for ten minutes. A refused one counts only until another is sent: anybody can type a wrong address. */
export function readLateMails(): Promise<z.infer<typeof LateMails>> {
  return readOne(db, LateMails)`
    SELECT count(*)::int AS amount, min(created_at) AS since FROM mail_outbox late
    WHERE sent_at IS NULL AND created_at < now() - interval '10 minutes'
      AND (last_error IS DISTINCT FROM ${REFUSED}
        OR NOT EXISTS (SELECT FROM mail_outbox sent WHERE sent.sent_at > late.created_at))`;
}
