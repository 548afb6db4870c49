import { z } from "zod";
import { SECTIONS } from "./sections.ts";

/** What each page of an item saves at once. The sections are in the order of writing: first names, then counts. */
export const PART_SECTIONS = {
  text: ["text"],
  credits: ["tags", "credits", "shoot"],
  dates: ["dates"],
  access: ["access"],
  chapters: ["chapters"],
} as const;

export const PARTS = {
  text: SECTIONS.text,
  credits: z.object({
    ...SECTIONS.tags.shape,
    ...SECTIONS.credits.shape,
    ...SECTIONS.shoot.shape,
  }),
  dates: SECTIONS.dates,
  access: SECTIONS.access,
  chapters: SECTIONS.chapters,
} satisfies Record<keyof typeof PART_SECTIONS, z.ZodObject>;

export type PartName = keyof typeof PARTS;
export type PartValues = { [Name in PartName]: z.output<(typeof PARTS)[Name]> };
