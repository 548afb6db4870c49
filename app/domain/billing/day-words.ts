/** "21 December 2026", the same on the server and in every browser. */
export function dayWords(date: Date): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
}
