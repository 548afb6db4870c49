/** "21 December 2026" in UTC, the same on the server and in every browser. */
export function formatDate(date: Date): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** "21 December 2026, 14:05 UTC" */
export function formatMinute(date: Date): string {
  const options = { timeStyle: "short", timeZone: "UTC" } as const;
  return `${formatDate(date)}, ${new Intl.DateTimeFormat("en-GB", options).format(date)} UTC`;
}
