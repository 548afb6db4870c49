// Needed because CCBill names the time in Arizona, which has no summer time, and no offset.
const OFFSET_MS = -7 * 3_600_000;
const DAY_MS = 86_400_000;
const TIME = /^(\d{4})-?(\d\d)-?(\d\d)(?:[ T]?(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?$/;

/** Reads "2012-08-05 15:18:17", "2012-08-05", and both as 14, 10 or 8 digits. A day without a time is its beginning. */
export function parseArizonaTime(text: string): Date | null {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] = TIME.exec(text) ?? [];
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${written}Z`);
  // Otherwise the 30th of February would be a day in March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(written)) return null;
  return new Date(ms - OFFSET_MS);
}

/** "2012-08-05" */
export function arizonaDay(at: Date): string {
  return arizonaIso(at).slice(0, 10);
}

/** "20120805151817" */
export function arizonaDigits(at: Date): string {
  return arizonaIso(at).slice(0, 19).replace(/\D/g, "");
}

/**
 * CCBill names the day up to which something is paid, and charges in the course of it. Our pages name days in UTC, where the
 * end of Arizona's day is on the next one: they would name each charge a day late.
 */
export function endOfNamedDay(at: Date): Date {
  return new Date(`${arizonaDay(at)}T23:59:59Z`);
}

export function daysLater(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}

function arizonaIso(at: Date): string {
  return new Date(at.getTime() + OFFSET_MS).toISOString();
}
