export const DAY_MS = 24 * 3600 * 1000;

const LONG_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SHORT_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const SHORT_TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/** "21 December 2026" in UTC, the same on the server and in every browser. */
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

/** "1 day", "7 days" */
export function formatDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
