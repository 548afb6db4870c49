import { config } from "#app/config.server.ts";
import { formatZoneTime } from "#app/dates.ts";
import { type Mail, MailButton, MailLayout, MailLink, renderMail } from "#app/domain/mail/mail-layout.tsx";
import { paths } from "#app/paths.ts";
import { ALARM_ANCHORS, type Alarm } from "./alarm-kinds.ts";
import { alarmText } from "./alarm-texts.server.ts";

interface AlarmFacts {
  siteName: string;
  zone: string;
  alarms: Alarm[];
}

const STUDIO = `${config.origin}${paths.studio()}`;
const SETTINGS = `${config.origin}${paths.studioSettings("alarms")}`;

export async function newAlarmMail(
  to: string,
  { siteName, zone, alarms, others }: AlarmFacts & { others: Alarm[] },
): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>
        {alarms.length === 1
          ? "Something is wrong with the site:"
          : "Several things are wrong with the site:"}
      </p>
      <AlarmList alarms={alarms} zone={zone} />
      {others.length > 0 && <p>Also still wrong:</p>}
      <AlarmList alarms={others} zone={zone} />
      <MailButton href={STUDIO}>Open the studio</MailButton>
      <Ending next="You will get one email a day while this lasts, and one when everything is fine again." />
    </MailLayout>
  );
  return { kind: "alarm", to, subject: subjectOf(siteName, alarms), ...(await renderMail(element)) };
}

export async function alarmReminderMail(to: string, { siteName, zone, alarms }: AlarmFacts): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>
        {alarms.length === 1
          ? "Something is still wrong with the site:"
          : "Several things are still wrong with the site:"}
      </p>
      <AlarmList alarms={alarms} zone={zone} />
      <MailButton href={STUDIO}>Open the studio</MailButton>
      <Ending next="You will get the next reminder in a day, unless everything is fine by then." />
    </MailLayout>
  );
  const subject = `Reminder: ${subjectOf(siteName, alarms)}`;
  return { kind: "alarm-reminder", to, subject, ...(await renderMail(element)) };
}

export async function alarmOverMail(
  to: string,
  { siteName, zone, alarms }: Omit<AlarmFacts, "alarms"> & { alarms: (Alarm & { endedAt: Date | null })[] },
): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>Everything is fine again, and you do not need to do anything. This was wrong:</p>
      {alarms.map(({ endedAt, ...alarm }) => (
        <p key={alarm.kind}>
          <strong>{alarmText(alarm).title}</strong>
          <br />
          From {formatZoneTime(alarm.since, zone)}
          {endedAt !== null && <> to {formatZoneTime(endedAt, zone)}</>}
        </p>
      ))}
      <Ending next="Everything has been fine for the past hour." />
    </MailLayout>
  );
  return {
    kind: "alarm-over",
    to,
    subject: `${siteName}: everything is fine again`,
    ...(await renderMail(element)),
  };
}

export async function alarmTestMail(to: string, { siteName }: { siteName: string }): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>This is a test. An owner of the site sent it from the studio. Nothing is wrong.</p>
      <p>When something is wrong with the site, we send an email like this one to this address.</p>
      <Ending next={null} />
    </MailLayout>
  );
  return { kind: "alarm-test", to, subject: `${siteName}: a test alarm`, ...(await renderMail(element)) };
}

function AlarmList({ alarms, zone }: { alarms: Alarm[]; zone: string }) {
  return alarms.map((alarm) => {
    const { title, meaning } = alarmText(alarm);
    return (
      <p key={alarm.kind}>
        <strong>{title}</strong>
        <br />
        Since {formatZoneTime(alarm.since, zone)}
        <br />
        {meaning}
        <br />
        <MailLink href={`${STUDIO}${ALARM_ANCHORS[alarm.kind]}`}>What to do</MailLink>
      </p>
    );
  });
}

function Ending({ next }: { next: string | null }) {
  return (
    <>
      {next !== null && <p>{next}</p>}
      <p>
        Owners can change who gets these emails in the <MailLink href={SETTINGS}>settings</MailLink>
      </p>
    </>
  );
}

function subjectOf(siteName: string, [first, ...others]: Alarm[]): string {
  if (first === undefined) return siteName;
  const { title } = alarmText(first);
  const [initial = "", rest] = [title[0], title.slice(1)];
  const worded = `${siteName}: ${initial.toLowerCase()}${rest}`;
  return others.length === 0 ? worded : `${worded}, and ${others.length} more`;
}
