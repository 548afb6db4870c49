import type { FormSectionName } from "#app/domain/catalog/edit/item/section-fields.ts";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { CODE_NEEDED } from "#app/ui/forms/code-field.tsx";

export interface RefusalLine {
  at: string | null;
  sentence: string;
}

interface SectionRefusal {
  section: FormSectionName;
  errors: Record<string, string>;
  conflicts: { field: string }[];
}

function sectionErrors({ section, errors, conflicts }: SectionRefusal): RefusalLine[] {
  const wrong = Object.entries(errors).map(([field, sentence]) => ({
    at: fieldId(section, field),
    sentence,
  }));
  return conflicts.length === 0 ? wrong : [...wrong, conflictError(section)];
}

export function conflictError(section: string): RefusalLine {
  const sentence = "Somebody else saved this section after you opened it. Compare both versions.";
  return { at: `${section}-conflicts`, sentence };
}

function transitionErrors({ transition, error, isUnconfirmed }: TransitionRefusal): RefusalLine[] {
  if (error === null) return [];
  return [{ at: `publication-${transition}${isUnconfirmed ? "-confirm" : ""}`, sentence: error }];
}

interface TransitionRefusal {
  transition: TransitionName;
  error: string | null;
  isUnconfirmed: boolean;
}

function fieldId(section: FormSectionName, field: string): string | null {
  if (field === "form" || field === "photos") return section;
  return field.replace(/^(alt|isPreview)-/, "photos-");
}

interface OrderRefusal {
  errors: Record<string, string>;
  conflicts: unknown[];
}

function orderErrors({ errors, conflicts }: OrderRefusal): RefusalLine[] {
  if (conflicts.length > 0) return [conflictError("order")];
  return Object.entries(errors).map(([field, sentence]) => ({
    at: field === "form" ? "order-form" : field.replace(/^position-/, "order-"),
    sentence,
  }));
}

interface FileRefusals {
  photoFiles?: { step: string; added: number; refused: unknown[]; error: string | null };
}

/** If some of the photos were imported, only their section names the others. */
function fileErrors({ photoFiles }: FileRefusals): RefusalLine[] {
  const lines: RefusalLine[] = [];
  if (photoFiles?.error) lines.push({ at: `photoFiles-${photoFiles.step}`, sentence: photoFiles.error });
  if (photoFiles && photoFiles.added === 0 && photoFiles.refused.length > 0) {
    lines.push({ at: "photoFiles", sentence: "No photo was imported. The section says why." });
  }
  return lines;
}

interface ItemRefusals extends FileRefusals {
  section?: SectionRefusal;
  order?: OrderRefusal;
  transition?: TransitionRefusal;
  error?: string;
  code?: { section: string };
}

export function refusalLines(sent: ItemRefusals): RefusalLine[] {
  const { section, order, transition, error, code } = sent;
  const codeAt = transition === undefined ? code?.section : `publication-${transition.transition}`;
  return [
    ...(code === undefined ? [] : [{ at: codeAt ?? null, sentence: CODE_NEEDED }]),
    ...(error === undefined ? [] : [{ at: null, sentence: error }]),
    ...(transition === undefined ? [] : transitionErrors(transition)),
    ...(section === undefined ? [] : sectionErrors(section)),
    ...(order === undefined ? [] : orderErrors(order)),
    ...fileErrors(sent),
  ];
}
