export const DAY_MS = 24 * 3600 * 1000;

const LONG_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SHORT_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const SHORT_TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/** "21 December 2026" in UTC, the same on the server and in every browser */
export function formatDate(date: Date): string {
  return LONG_DATE.format(date);
}

/** "21 Dec 2026" in UTC */
export function formatShortDate(date: Date): string {
  return SHORT_DATE.format(date);
}

/** "21 December 2026, 14:05 UTC" */
export function formatMinute(date: Date): string {
  return `${formatDate(date)}, ${SHORT_TIME.format(date)} UTC`;
}

export function formatDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** PostgreSQL has no year 0, and a time zone can lead to a fifth digit. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 9998];

/** Such as "2026-05-31" */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  const year = Number(text.slice(0, 4));
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  return exists && year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** "2026-06-01" after "2026-05-31" */
export function dayAfter(day: string): string {
  return addDays(new Date(day), 1).toISOString().slice(0, 10);
}

/** "2026-11-27T20:00" */
export function toZoneTime(date: Date, zone: string): string {
  const part = partsOf(date, zone);
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/** Of "2026-11-27T20:00". The first of two equal hours counts, and a time that the clocks skip moves forward with them. */
export function fromZoneTime(text: string, zone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)) return null;
  const asUtc = Date.parse(`${text.slice(0, 16)}Z`);
  if (Number.isNaN(asUtc) || !isDay(text.slice(0, 10))) return null;
  // 24:00 would become a time of the next day.
  if (!new Date(asUtc).toISOString().startsWith(text.slice(0, 16))) return null;
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map((moment) => offsetAt(moment, zone));
  const moments = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b);
  const exact = moments.find((moment) => moment + offsetAt(moment, zone) === asUtc);
  return new Date(exact ?? asUtc - (offsets[0] ?? 0));
}

/** The first moment of a day ("2026-11-27"), also where the clocks skip midnight. */
export function startOfZoneDay(day: string, zone: string): Date {
  const start = fromZoneTime(`${day}T00:00`, zone);
  if (start === null) throw new RangeError("Not a day");
  return start;
}

/** Morocco's clocks change twice within five weeks. */
const CLOCKS_KEEP_MS = 7 * DAY_MS;

/** How far a zone's clocks are ahead of UTC: at `from`, and after each change until `to`. */
export function zoneOffsets(zone: string, from: Date, to: Date): { at: Date; offsetMs: number }[] {
  let [at, offset] = [from.getTime(), offsetAt(from.getTime(), zone)];
  const found = [{ at: from, offsetMs: offset }];
  for (; at < to.getTime(); at += CLOCKS_KEEP_MS) {
    const next = offsetAt(at + CLOCKS_KEEP_MS, zone);
    if (next === offset) continue;
    let [before, after] = [at, at + CLOCKS_KEEP_MS];
    while (after - before > 60_000) {
      const middle = before + Math.ceil((after - before) / 120_000) * 60_000;
      if (middle >= after) break;
      if (offsetAt(middle, zone) === offset) before = middle;
      else after = middle;
    }
    offset = next;
    found.push({ at: new Date(after), offsetMs: offset });
  }
  return found;
}

/** "Friday, 27 November 2026, 20:00 (Europe/Berlin)" */
export function formatZoneTime(date: Date, zone: string): string {
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: zone }).format(date);
  return `${weekday}, ${formatZoneDate(date, zone)}, ${toZoneTime(date, zone).slice(11)} (${zone})`;
}

/** "27 November 2026" */
export function formatZoneDate(date: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: zone }).format(date);
}

/** "27 Nov 2026, 20:00", for pages that name the zone once. */
export function formatShortZoneTime(date: Date, zone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: zone }).format(date);
  return `${day}, ${toZoneTime(date, zone).slice(11)}`;
}

/** In milliseconds ahead of UTC. */
function offsetAt(moment: number, zone: string): number {
  const whole = Math.floor(moment / 60_000) * 60_000;
  return Date.parse(`${toZoneTime(new Date(whole), zone)}Z`) - whole;
}

function partsOf(date: Date, zone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const parts = format.formatToParts(date);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value.padStart(2, "0")]));
}
