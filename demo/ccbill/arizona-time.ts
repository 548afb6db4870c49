import { DAY_SECONDS } from "../stand-in/clock.ts";

/** CCBill writes the time of Arizona, which has no summer time, and names no offset. Seconds are since 1970. */
const BEHIND_UTC_SECONDS = 7 * 3_600;

/** "2012-08-05 15:18:17" */
export function timestampOf(seconds: number): string {
  return iso(seconds).slice(0, 19).replace("T", " ");
}

/** "2012-08-05" */
export function dateOf(seconds: number): string {
  return iso(seconds).slice(0, 10);
}

/** When the next day begins. */
export function endOfDay(seconds: number): number {
  return (parseDigits(`${dateOf(seconds).replaceAll("-", "")}000000`) ?? seconds) + DAY_SECONDS;
}

/** "20120805151817" */
export function digitsOf(seconds: number): string {
  return timestampOf(seconds).replace(/\D/g, "");
}

/** Null for anything but 14 digits that are a time. */
export function parseDigits(text: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? null : ms / 1000 + BEHIND_UTC_SECONDS;
}

function iso(seconds: number): string {
  return new Date((seconds - BEHIND_UTC_SECONDS) * 1000).toISOString();
}
