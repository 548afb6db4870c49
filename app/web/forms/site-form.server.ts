import { z } from "zod";
import { nearestColor, parseColor } from "#app/domain/site/colors.ts";
import { saveSiteSection } from "#app/domain/site/edit-site.server.ts";
import {
  normalizedSettings,
  type SectionValues,
  SITE_LIMITS,
  SITE_SECTION_NAMES,
  SITE_SECTIONS,
  type SiteSection,
  type SiteSetting,
} from "#app/domain/site/settings.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { log } from "#app/log.server.ts";
import { field, readIntent } from "./form-body.server.ts";
import { pick } from "./item-form.server.ts";
import { jsonOf } from "./section-form.server.ts";

const STEPS = ["preview", "default", "test"] as const;

export interface SiteAnswer {
  section: SiteSection;
  /** "confirm" when the sign-in was too old. */
  step: "preview" | "save" | "test" | "confirm";
  opened: SectionValues;
  fields: SectionValues;
  errors: Record<string, string>;
  conflicts: Conflict<string>[];
  /** A readable color close to an unreadable one. */
  suggestion: string | null;
}

export interface SiteForm {
  section: SiteSection;
  step: (typeof STEPS)[number] | "save";
  opened: SectionValues;
  /** Fields that the host has fixed are not sent. */
  fields: SectionValues;
  theirs: string[];
}

function siteSectionIn(form: FormData): SiteSection | null {
  return SITE_SECTION_NAMES.find((name) => name === field(form, "section")) ?? null;
}

/** Pressing the button for the defaults is like typing them. */
export function readSiteForm(form: FormData, defaults: SectionValues): SiteForm | null {
  const section = siteSectionIn(form);
  if (section === null) return null;
  const opened = openedSchema(section).safeParse(jsonOf(form.get("opened")));
  if (!opened.success) return null;
  const names: readonly SiteSetting[] = SITE_SECTIONS[section];
  const typed = names.flatMap((name) => {
    // A suggested color is the value of its button.
    const value = (name === "accent" && form.get("suggestion")) || form.get(name);
    return typeof value === "string" ? [[name, value]] : [];
  });
  const step = readIntent(form, STEPS) ?? "save";
  const isDefault = step === "default";
  return {
    section,
    step,
    opened: opened.data as SectionValues,
    fields: Object.fromEntries(isDefault ? names.map((name) => [name, defaults[name] ?? ""]) : typed),
    theirs: isDefault ? [] : form.getAll("theirs").filter((name) => typeof name === "string"),
  };
}

/** A value that equals the default is stored as empty. */
export function wantedValues(form: SiteForm, defaults: SectionValues): SectionValues {
  const { fields, opened, theirs } = form;
  const plain = normalizedSettings(defaults);
  const own = Object.entries(normalizedSettings(fields)).map(([name, value]) => [
    name,
    value === plain[name as SiteSetting] ? "" : value,
  ]);
  return { ...Object.fromEntries(own), ...pick(opened, theirs) };
}

export async function answerSiteForm(
  actor: Actor,
  form: SiteForm,
  wanted: SectionValues,
): Promise<"saved" | SiteAnswer> {
  const { section, opened } = form;
  const result = await saveSiteSection(actor, section, opened, wanted, (error) =>
    log.warn({ err: error, section }, "the settings are saved, but something after that failed"),
  );
  if (result.saved) return "saved";
  if ("errors" in result) return refuseSiteForm(form, result.errors);
  const stored = Object.fromEntries(result.conflicts.map(({ field: name, theirs }) => [name, theirs ?? ""]));
  return {
    ...repeatSiteForm(form, "save"),
    ...{ opened: { ...opened, ...stored }, conflicts: result.conflicts },
  };
}

export function refuseSiteForm(form: SiteForm, errors: SiteAnswer["errors"]): SiteAnswer {
  const accent = parseColor(form.fields.accent ?? "");
  const suggestion = errors.accent && accent !== null ? nearestColor(accent) : null;
  return { ...repeatSiteForm(form, "save"), errors, suggestion };
}

export function repeatSiteForm(form: SiteForm, step: SiteAnswer["step"]): SiteAnswer {
  const { section, opened, fields } = form;
  return { section, step, opened, fields, errors: {}, conflicts: [], suggestion: null };
}

function openedSchema(section: SiteSection) {
  const names: readonly SiteSetting[] = SITE_SECTIONS[section];
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, z.string().max(SITE_LIMITS[name], { abort: true })])),
  );
}
