import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import type { SectionFields } from "#app/domain/catalog/edit/section-fields.ts";
import type { SectionName, SectionValues } from "#app/domain/catalog/edit/sections.ts";
import { field } from "./form-body.server.ts";

/** The values that a section's form was opened with; null for anything but this section's values. */
export function readOpened<Name extends SectionName>(name: Name, form: FormData): SectionValues[Name] | null {
  const opened = OPENED[name].safeParse(jsonOf(form.get("opened")));
  return opened.success ? (opened.data as SectionValues[Name]) : null;
}

/** As it was typed. */
export function readFields<Name extends SectionName>(name: Name, form: FormData): SectionFields[Name] {
  return FIELDS[name](form);
}

const marker = z.strictObject({ atSeconds: z.number(), title: z.string() });
const OPENED: Record<SectionName, z.ZodType> = {
  text: z.strictObject({ title: z.string(), description: z.string() }),
  credits: z.strictObject({ creators: z.array(z.string()) }),
  tags: z.strictObject({ tags: z.array(z.string()) }),
  dates: z.strictObject({ producedOn: z.string().nullable(), expireAt: z.iso.datetime().nullable() }),
  access: z.strictObject({ access: z.enum(ACCESSES), allowDownload: z.boolean() }),
  shoot: z.strictObject({ shoot: z.string().nullable() }),
  chapters: z.strictObject({ chapters: z.array(marker) }),
  photos: z.record(z.string(), z.union([z.string(), z.boolean()])),
};

const FIELDS: { [Name in SectionName]: (form: FormData) => SectionFields[Name] } = {
  text: (form) => ({ title: text(form, "title"), description: text(form, "description") }),
  credits: (form) => ({ creators: texts(form, "name") }),
  tags: (form) => ({ tags: texts(form, "tag"), added: text(form, "added") }),
  dates: (form) => ({ producedOn: field(form, "producedOn"), expireAt: field(form, "expireAt") }),
  access: (form) => ({
    access: ACCESSES.find((access) => access === field(form, "access")) ?? "subscriber",
    allowDownload: field(form, "allowDownload") === "yes",
  }),
  shoot: (form) => ({ shoot: field(form, "shoot") }),
  chapters: (form) => {
    const titles = texts(form, "chapter");
    return { chapters: texts(form, "time").map((time, index) => ({ time, title: titles[index] ?? "" })) };
  },
  photos: (form) => {
    const [alts, previews] = [texts(form, "alt"), texts(form, "preview")];
    return {
      photos: texts(form, "photo").map((id, index) => ({
        id,
        alt: alts[index] ?? "",
        isPreview: previews.includes(id),
      })),
    };
  },
};

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}
