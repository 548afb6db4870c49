import { toPlainWidth, withoutInvisible } from "./texts.ts";

const TIME = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,3})?)$/;

export const EXAMPLE_TIMES = "4:09 or 1:02:03";
export const NO_CLOCK_TIME = `Please enter a time such as ${EXAMPLE_TIMES}.`;

/** Of "123:02:03.125". */
export const CLOCK_TIME_LENGTH = 13;

/** Seconds of "65", "1:05", "1:02:03" or "1:02:03.5". */
export function parseClockTime(text: string): number | null {
  const plain = toPlainWidth(withoutInvisible(text));
  const [, hours = "0", minutes = "0", seconds] = TIME.exec(plain) ?? [];
  if (seconds === undefined) return null;
  const isOver = (part: string, whole: boolean) => whole && Number(part) >= 60;
  if (isOver(seconds, plain.includes(":")) || isOver(minutes, /:.*:/.test(plain))) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** "1:05", "1:02:03", "0:02.5" */
export function formatClockTime(atSeconds: number): string {
  const milliseconds = Math.round(atSeconds * 1000);
  const whole = Math.floor(milliseconds / 1000);
  const rest = milliseconds % 1000;
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  const clock = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}
