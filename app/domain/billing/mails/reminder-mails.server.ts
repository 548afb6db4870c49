import { type SQL, sql } from "drizzle-orm";
import type { StateKind } from "#app/domain/access/subscription-state.ts";
import type { Mail } from "#app/domain/mail/mail-layout.tsx";
import { db, type Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { readRows, text } from "#db/rows.ts";
import { sellerName } from "../providers/providers.server.ts";
import { MAIL_KEYS } from "../rules/mail-keys.ts";
import { periodEnd } from "../subscriptions/days-of-grace.server.ts";
import { stateKind } from "../subscriptions/subscription-state.server.ts";
import { hasSuccessor } from "../subscriptions/successor.server.ts";
import { MAX_FACT_AGE, sendMail } from "./send-once.server.ts";
import { begunMail } from "./templates/lifecycle-mails.tsx";
import { findMailFacts, type MailFacts, TRIAL_REMINDER_DAYS } from "./templates/mail-facts.server.ts";
import { endingMail } from "./templates/moving-mails.tsx";
import { periodEndingMail, reminderMail, renewalMail, trialEndingMail } from "./templates/reminder-mails.tsx";

const AT_ONCE = 100;
/** An hour more, because the job runs only hourly. */
const TRIAL_REMINDER = sql`(${TRIAL_REMINDER_DAYS} * interval '1 day' + interval '1 hour')`;
/** An hour more, as above. Nobody gets the first one when the second is near. */
const ENDING = {
  soon: { days: 7, from: sql`interval '2 days'`, to: sql`interval '7 days 1 hour'` },
  next: { days: 1, from: sql`interval '0'`, to: sql`interval '1 day 1 hour'` },
};
/** A wrong key of the provider is corrected by then. */
const SURELY_UNKNOWN = sql`interval '1 day'`;
/** The law requires 15 to 45 days. */
const RENEWAL_REMINDER = sql`interval '30 days'`;

interface DueMail {
  key: SQL;
  where: SQL;
  mail(facts: MailFacts, now: Date): Promise<Mail>;
}

export async function sendDueMails(given?: Date): Promise<number> {
  const now = given ?? (await readDatabaseTime());
  const at = sql`${now.toISOString()}::timestamptz`;
  let count = 0;
  for (const due of dueMails(at)) {
    for (let sent = AT_ONCE; sent === AT_ONCE; count += sent) sent = await sendDue(due, now);
  }
  return count;
}

function dueMails(now: SQL): DueMail[] {
  /** At least a year, in any unit. 52 weeks are one day short of it. */
  const isYearly = sql`(p.interval_count >= CASE p.interval
    WHEN 'day' THEN 364 WHEN 'week' THEN 52 WHEN 'month' THEN 12 ELSE 1 END)`;
  const isKind = (...kinds: StateKind[]) => sql`${stateKind({ now })} IN ${kinds}`;
  const goesOn = isKind("running");
  const years = sql`extract(year FROM age(${now}, s.created))::int`;
  const endsAlone = sql`NOT ${hasSuccessor({ now })} AND (${isKind("ending")} AND s.renewal_ended_by = 'site'
    OR ${isKind("unknown")} AND s.unknown_since < ${now} - ${SURELY_UNKNOWN})`;
  const ending = (prefix: string, { from, to }: typeof ENDING.soon): DueMail => ({
    key: sql`${prefix}::text || s.id || ':' || floor(extract(epoch FROM ${periodEnd()}))`,
    where: sql`${endsAlone} AND ${periodEnd()} > ${now} + ${from} AND ${periodEnd()} <= ${now} + ${to}`,
    mail: endingMail,
  });
  return [
    {
      // Subscriptions that started without a payment, and so without a receipt.
      key: sql`${MAIL_KEYS.begun}::text || s.id`,
      where: sql`s.status = 'active' AND ${isKind("running", "uncollected", "renewing", "unrenewed")}
        AND s.created > ${now} - ${MAX_FACT_AGE} AND s.created <= ${now} - interval '10 minutes'
        AND EXISTS (SELECT 1 FROM checkouts c WHERE c.subscription_id = s.id)`,
      mail: begunMail,
    },
    {
      key: sql`${MAIL_KEYS.trialEnding}::text || s.id || ':' || floor(extract(epoch FROM s.trial_end))`,
      where: sql`s.status = 'trialing' AND ${isKind("running", "cardless")}
        AND s.trial_end > ${now} AND s.trial_end <= ${now} + ${TRIAL_REMINDER}`,
      mail: trialEndingMail,
    },
    {
      key: sql`'renewal:' || s.id || ':' || floor(extract(epoch FROM s.current_period_end))`,
      where: sql`s.status = 'active' AND ${isYearly} AND ${goesOn}
        AND s.current_period_end <= ${now} + ${RENEWAL_REMINDER}`,
      mail: renewalMail,
    },
    {
      key: sql`'reminder:' || s.id || ':' || ${years}`,
      where: sql`s.status = 'active' AND NOT ${isYearly} AND ${goesOn}
        AND ${years} >= 1 AND ${now} < s.created + make_interval(years => ${years}, days => 30)`,
      mail: reminderMail,
    },
    ...[ENDING.soon, ENDING.next].map(({ days, from, to }) => ({
      key: sql`'period-ending:' || s.id || ':' || floor(extract(epoch FROM s.current_period_end)) || ${`:${days}`}::text`,
      // The receipt has named the end of a period that is no longer than that.
      where: sql`${isKind("prepaid")} AND NOT ${hasSuccessor({ now })} AND s.current_period_end <= ${now} + ${to}
        AND s.current_period_end > ${now} + ${from}
        AND s.current_period_end - s.current_period_start > ${days} * interval '1 day'`,
      mail: (facts: MailFacts, sentAt: Date) => periodEndingMail(facts, sentAt, sellerName()),
    })),
    ending(MAIL_KEYS.endingSoon, ENDING.soon),
    ending(MAIL_KEYS.endingNext, ENDING.next),
  ];
}

async function sendDue({ key, where, mail }: DueMail, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = await claimDue(tx, key, where);
    for (const id of ids) {
      const facts = await findMailFacts(tx, id);
      if (facts !== null) await sendMail(tx, mail(facts, now));
    }
    return ids.length;
  });
}

function claimDue(tx: Transaction, key: SQL, where: SQL): Promise<string[]> {
  return readRows(tx, text)`
    WITH due AS (
      SELECT s.id, s.user_id, ${key} AS key FROM subscriptions s JOIN prices p ON p.id = s.price_id
      WHERE ${where} AND NOT s.is_request_open
        AND NOT EXISTS (SELECT 1 FROM billing_mails n WHERE n.key = ${key})
      LIMIT ${AT_ONCE}
    ), claimed AS (
      INSERT INTO billing_mails (key, user_id) SELECT key, user_id FROM due ON CONFLICT DO NOTHING RETURNING key
    )
    SELECT due.id FROM due JOIN claimed USING (key)`;
}
