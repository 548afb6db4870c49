import { z } from "zod";
import { timeZoneProblem } from "#app/config/settings.ts";
import type { FieldValue } from "#app/domain/catalog/edit/item/sections.ts";
import type { FieldErrors } from "#app/domain/catalog/edit/item/text-fields.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

export interface SectionAnswer<Section extends string, Step extends string, Opened, Fields = Opened> {
  section: Section;
  /** The pressed button, or "confirm" when the sign-in was too old. */
  step: Step | "save" | "confirm";
  /** The next save is compared with this: after a conflict, with what is stored now. */
  opened: Opened;
  fields: Fields;
  errors: FieldErrors;
  conflicts: Conflict<FieldValue>[];
}

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

export function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

export function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}
