const LONG_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SHORT_TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** "21 December 2026" in UTC, the same on the server and in every browser. */
export function formatDate(date: Date): string {
  return LONG_DATE.format(date);
}

/** "21 December 2026, 14:05 UTC" */
export function formatMinute(date: Date): string {
  return `${formatDate(date)}, ${SHORT_TIME.format(date)} UTC`;
}
