import type { Mail } from "#app/domain/mail/mail-layout.tsx";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { readAlarmAddresses } from "#app/domain/site/alarm-addresses.server.ts";
import { MAX_ALARM_ADDRESSES } from "#app/domain/site/settings.ts";
import { readSiteValues, site } from "#app/domain/site/site.server.ts";
import { listOwnerAddresses } from "#app/domain/staff/roles.server.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { alarmTestMail } from "./alarm-mails.tsx";

/** A row that was written by hand may hold anything. */
export async function listRecipients(executor: Executor = db): Promise<string[]> {
  const { alarmAddresses } = await readSiteValues(executor);
  const { addresses } = readAlarmAddresses(alarmAddresses);
  return addresses.length > 0 ? addresses.slice(0, MAX_ALARM_ADDRESSES) : listOwnerAddresses(executor);
}

export async function mailEach(
  tx: Transaction,
  recipients: string[],
  mailTo: (recipient: string) => Promise<Mail>,
): Promise<void> {
  for (const recipient of recipients) await enqueueMail(await mailTo(recipient), tx);
}

export async function sendTestAlarm(): Promise<string[]> {
  return db.transaction(async (tx) => {
    const recipients = await listRecipients(tx);
    await mailEach(tx, recipients, (to) => alarmTestMail(to, { siteName: site.name }));
    return recipients;
  });
}
