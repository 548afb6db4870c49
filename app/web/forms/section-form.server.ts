import { z } from "zod";
import { timeZoneProblem } from "#app/config/settings.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

export const upTo = (characters: number) => z.string().max(characters, { abort: true });

/** The zone in which the form showed its times: the site's may have changed since. */
export function shownZone(form: FormData | URLSearchParams): string {
  const zone = form.get("timeZone");
  return typeof zone === "string" && zone !== "" && timeZoneProblem(zone) === null
    ? zone
    : siteFacts.timeZone;
}

/** As typed, with its spaces. */
export function text(form: FormData | URLSearchParams, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}
