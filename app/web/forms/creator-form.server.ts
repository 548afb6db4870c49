import { z } from "zod";
import {
  CREATOR_LIMITS,
  CREATOR_SECTIONS,
  type CreatorSection,
  type CreatorValues,
} from "#app/domain/catalog/edit/names/creator-sections.ts";
import { saveCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { renameTag } from "#app/domain/catalog/edit/names/edit-tags.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { field, readIntent } from "./form-body.server.ts";
import { pick, storedIn } from "./item-form.server.ts";
import { jsonOf, type SectionAnswer, text, texts, upTo } from "./section-form.server.ts";

const STEPS = ["row", "preview"] as const;

type Step = (typeof STEPS)[number];
export type CreatorAnswer = SectionAnswer<CreatorSection, Step, CreatorValues[CreatorSection]>;
export type TagAnswer = SectionAnswer<"text", Step, { name: string }>;

export function creatorSectionIn(form: FormData): CreatorSection | null {
  return CREATOR_SECTIONS.find((name) => name === field(form, "section")) ?? null;
}

export async function answerCreator(
  actor: Actor,
  id: string,
  section: CreatorSection,
  form: FormData,
): Promise<"saved" | "incomplete" | CreatorAnswer> {
  const opened = readOpened(section, form);
  if (opened === null) return "incomplete";
  const fields = FIELDS[section](form);
  const answer = { section, opened, fields, errors: {}, conflicts: [] };
  const step = readIntent(form, STEPS);
  if (step !== null) return { ...answer, step };
  const wanted = { ...fields, ...pick(opened, form.getAll("theirs")) };
  const result = await saveCreator(actor, id, section, opened, wanted as typeof opened);
  if (result.saved) return "saved";
  if ("errors" in result) return { ...answer, step: "save", errors: result.errors };
  const { conflicts } = result;
  return { ...answer, step: "save", opened: { ...opened, ...storedIn(conflicts) }, conflicts };
}

export function repeatCreator(section: CreatorSection, form: FormData): CreatorAnswer | null {
  const opened = readOpened(section, form);
  if (opened === null) return null;
  // The other version of a conflict is not shown again, so a ticked one becomes the field's value.
  const fields = { ...FIELDS[section](form), ...pick(opened, form.getAll("theirs")) };
  return { section, step: "confirm", opened, fields, errors: {}, conflicts: [] };
}

export async function answerTag(
  actor: Actor,
  id: string,
  form: FormData,
): Promise<"saved" | "incomplete" | TagAnswer> {
  const repeated = repeatTag(form);
  if (repeated === null) return "incomplete";
  const { opened, fields } = repeated;
  const result = await renameTag(actor, id, opened, fields);
  if (result.saved) return "saved";
  const answer = { ...repeated, step: "save" as const, fields: { name: text(form, "name") } };
  if ("errors" in result) return { ...answer, errors: result.errors };
  const { conflicts } = result;
  return { ...answer, opened: { ...opened, ...storedIn(conflicts) }, conflicts };
}

export function repeatTag(form: FormData): TagAnswer | null {
  const parsed = z.strictObject({ name: upTo(CREATOR_LIMITS.name) }).safeParse(jsonOf(form.get("opened")));
  if (!parsed.success) return null;
  const fields = { name: text(form, "name"), ...pick(parsed.data, form.getAll("theirs")) };
  return { section: "text", step: "confirm", opened: parsed.data, fields, errors: {}, conflicts: [] };
}

function readOpened(section: CreatorSection, form: FormData): CreatorValues[CreatorSection] | null {
  const opened = OPENED[section].safeParse(jsonOf(form.get("opened")));
  return opened.success ? opened.data : null;
}

/** Imports and merges may have stored more than a form saves. */
const MAX_STORED = 1_000;
const link = z.strictObject({ label: upTo(CREATOR_LIMITS.url), url: upTo(2_048) });
const OPENED: { [Name in CreatorSection]: z.ZodType<CreatorValues[Name]> } = {
  text: z.strictObject({ name: upTo(500), slug: upTo(200), bio: upTo(64_000) }),
  aliases: z.strictObject({ aliases: z.array(upTo(500)).max(MAX_STORED) }),
  links: z.strictObject({ links: z.array(link).max(MAX_STORED) }),
  portrait: z.strictObject({ portraitAlt: upTo(2_048) }),
};

const FIELDS: { [Name in CreatorSection]: (form: FormData) => CreatorValues[Name] } = {
  text: (form) => ({ name: text(form, "name"), slug: text(form, "slug"), bio: text(form, "bio") }),
  aliases: (form) => ({ aliases: texts(form, "name").filter((name) => name.trim() !== "") }),
  links: (form) => {
    const urls = texts(form, "url");
    return { links: texts(form, "label").map((label, index) => ({ label, url: urls[index] ?? "" })) };
  },
  portrait: (form) => ({ portraitAlt: text(form, "portraitAlt") }),
};
