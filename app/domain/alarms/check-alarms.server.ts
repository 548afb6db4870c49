import { asc, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { site } from "#app/domain/site/site.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { alarms } from "#db/schema/alarms.ts";
import { ALARM_KINDS, type Alarm, type AlarmKind } from "./alarm-kinds.ts";
import { alarmOverMail, alarmReminderMail, newAlarmMail } from "./alarm-mails.tsx";
import { checkSite, type FailedCheck } from "./checks.server.ts";
import { listRecipients, mailEach } from "./recipients.server.ts";

export interface AlarmReport {
  open: AlarmKind[];
  mail: "new" | "reminder" | "over" | null;
  recipients: number;
  failed: FailedCheck[];
}

/** A disk that fills and empties around its limit, or a mail server that comes and goes, is one alarm. */
const ENDS_AFTER = sql`interval '1 hour'`;
const REMINDED_AFTER = sql`interval '1 day'`;

interface StoredAlarm extends Alarm {
  endedAt: Date | null;
  wellSince: Date | null;
  mailedAt: Date | null;
  isReminderDue: boolean;
}

/** One transaction writes the emails and the state of the alarms, so a crash neither repeats nor loses an email. */
export async function checkAlarms(): Promise<AlarmReport> {
  const { wrong, failed } = await checkSite();
  return db.transaction(async (tx) => {
    // Two workers could both find an alarm unmailed, or wait for rows of each other.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('alarms'))`);
    await store(
      tx,
      wrong,
      failed.map(({ kind }) => kind),
    );
    const stored = await readStored(tx);
    const open = stored.filter(isOpen);
    const due = dueMail(stored);
    const recipients = due === null ? [] : await listRecipients(tx);
    if (due !== null) await mailEach(tx, recipients, (to) => due.mail(to));
    // Without a recipient it stays unmailed, so that the next owner hears of it.
    if (recipients.length > 0) await markMailed(tx);
    if (stored.every(({ endedAt }) => endedAt !== null))
      await tx.delete(alarms).where(isNotNull(alarms.endedAt));
    const mail = recipients.length > 0 ? (due?.name ?? null) : null;
    return { open: open.map(({ kind }) => kind), mail, recipients: recipients.length, failed };
  });
}

/** The other checks ask disks, and one on a lost network would keep a page waiting. */
const CHECKED_FOR_PAGES: AlarmKind[] = [
  "mails",
  "signIns",
  "payments",
  "refusedEvents",
  "missingPayments",
  "jobs",
];

/** Disks, and kinds that cannot be checked, are as the worker last found them. */
export async function listAlarms(): Promise<Alarm[]> {
  const [{ wrong, failed }, open] = await Promise.all([checkSite(CHECKED_FOR_PAGES), listOpenAlarms()]);
  const isChecked = (kind: AlarmKind) =>
    CHECKED_FOR_PAGES.includes(kind) && !failed.some((check) => check.kind === kind);
  return ALARM_KINDS.flatMap((kind) => {
    const known = open.find((alarm) => alarm.kind === kind);
    const found = wrong.find((alarm) => alarm.kind === kind);
    if (found !== undefined) return { ...found, since: known?.since ?? found.since };
    return known === undefined || isChecked(kind) ? [] : known;
  });
}

export async function listOpenAlarms(): Promise<Alarm[]> {
  const rows = await db.select().from(alarms).where(isNull(alarms.wellSince)).orderBy(asc(alarms.since));
  return rows.filter(isKnown);
}

async function store(tx: Transaction, wrong: Alarm[], unknown: AlarmKind[]): Promise<void> {
  for (const { kind, amount, since } of wrong) {
    await tx.execute(sql`
      INSERT INTO alarms AS known (kind, amount, since) VALUES (${kind}, ${amount}, ${since.toISOString()})
      ON CONFLICT (kind) DO UPDATE SET amount = excluded.amount, well_since = NULL, ended_at = NULL,
        since = CASE WHEN known.ended_at IS NULL THEN known.since ELSE excluded.since END,
        mailed_at = CASE WHEN known.ended_at IS NULL THEN known.mailed_at END`);
  }
  const kept = [...wrong.map(({ kind }) => kind), ...unknown];
  await tx
    .update(alarms)
    .set({ wellSince: sql`coalesce(${alarms.wellSince}, now())` })
    .where(kept.length === 0 ? undefined : notInArray(alarms.kind, kept));
  await tx
    .update(alarms)
    .set({ endedAt: alarms.wellSince })
    .where(sql`${alarms.endedAt} IS NULL AND ${alarms.wellSince} <= now() - ${ENDS_AFTER}`);
}

async function readStored(tx: Transaction): Promise<StoredAlarm[]> {
  const rows = await tx
    .select({
      kind: alarms.kind,
      amount: alarms.amount,
      since: alarms.since,
      wellSince: alarms.wellSince,
      endedAt: alarms.endedAt,
      mailedAt: alarms.mailedAt,
      isReminderDue: sql<boolean>`coalesce(${alarms.mailedAt} <= now() - ${REMINDED_AFTER}, false)`,
    })
    .from(alarms);
  return rows
    .filter(isKnown)
    .sort((one, other) => ALARM_KINDS.indexOf(one.kind) - ALARM_KINDS.indexOf(other.kind));
}

/** A newer version of the site may have stored others. */
function isKnown<Row extends { kind: string }>(row: Row): row is Row & { kind: AlarmKind } {
  return ALARM_KINDS.some((kind) => kind === row.kind);
}

function isOpen({ wellSince }: StoredAlarm): boolean {
  return wellSince === null;
}

function dueMail(stored: StoredAlarm[]) {
  const facts = { siteName: site.name, zone: site.timeZone };
  const open = stored.filter(isOpen);
  const unmailed = open.filter(({ mailedAt }) => mailedAt === null);
  if (unmailed.length > 0) {
    const others = open.filter((alarm) => !unmailed.includes(alarm));
    return {
      name: "new",
      mail: (to: string) => newAlarmMail(to, { ...facts, alarms: unmailed, others }),
    } as const;
  }
  if (open.some(({ isReminderDue }) => isReminderDue)) {
    return {
      name: "reminder",
      mail: (to: string) => alarmReminderMail(to, { ...facts, alarms: open }),
    } as const;
  }
  const ended = stored.filter(({ mailedAt }) => mailedAt !== null);
  if (ended.length === 0 || stored.some(({ endedAt }) => endedAt === null)) return null;
  return { name: "over", mail: (to: string) => alarmOverMail(to, { ...facts, alarms: ended }) } as const;
}

async function markMailed(tx: Transaction): Promise<void> {
  await tx.update(alarms).set({ mailedAt: sql`now()` }).where(isNull(alarms.wellSince));
}
