import type { SectionName } from "#app/domain/catalog/edit/item/sections.ts";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { CODE_NEEDED } from "#app/ui/forms/code-field.tsx";

export interface ShownProblem {
  at: string | null;
  sentence: string;
}

interface SectionRefusal {
  section: SectionName;
  errors: Record<string, string>;
  conflicts: { field: string }[];
}

function sectionProblems({ section, errors, conflicts }: SectionRefusal): ShownProblem[] {
  const wrong = Object.entries(errors).map(([field, sentence]) => ({
    at: fieldId(section, field),
    sentence,
  }));
  return conflicts.length === 0 ? wrong : [...wrong, conflictProblem(section)];
}

export function conflictProblem(section: string): ShownProblem {
  const sentence = "Somebody else saved this section after you opened it. Compare both versions.";
  return { at: `${section}-conflicts`, sentence };
}

function transitionProblems(transition: TransitionName, sentence: string): ShownProblem[] {
  return [{ at: `publication-${transition}`, sentence }];
}

/** For a section that is one list, the first input. */
function fieldId(section: SectionName, field: string): string | null {
  if (field === "form" || field === "photos") return section;
  if (section === "credits" || field === "chapters") return `${section}-0`;
  if (section === "chapters") return field;
  if (section === "tags") return "tags-added";
  if (section === "shoot") return "shoot-find";
  if (section === "photos") return field.replace(/^(alt|isPreview)-/, "photos-");
  return `${section}-${field}`;
}

interface OrderRefusal {
  errors: Record<string, string>;
  conflicts: unknown[];
}

function orderProblems({ errors, conflicts }: OrderRefusal): ShownProblem[] {
  if (conflicts.length > 0) return [conflictProblem("order")];
  return Object.entries(errors).map(([field, sentence]) => ({
    at: field === "form" ? "order-form" : field.replace(/^position-/, "order-"),
    sentence,
  }));
}

interface FileRefusals {
  cover?: { problem: { at: string; sentence: string } | null };
  captions?: { language: string | null; problems: Record<string, string | undefined> };
  photoFiles?: { step: string; added: number; refused: unknown[]; problem: string | null };
  trailer?: { problems: Record<string, string | undefined> };
}

/** If some of the photos were imported, only their section names the others. */
function fileProblems({ cover, captions, photoFiles, trailer }: FileRefusals): ShownProblem[] {
  const problems: ShownProblem[] = [];
  if (cover?.problem) problems.push({ at: `cover-${cover.problem.at}`, sentence: cover.problem.sentence });
  for (const [field, sentence] of Object.entries(captions?.problems ?? {})) {
    const end = captions?.language ? `-${captions.language}` : "";
    if (sentence) problems.push({ at: field === "form" ? "captions" : `captions-${field}${end}`, sentence });
  }
  for (const [field, sentence] of Object.entries(trailer?.problems ?? {})) {
    if (sentence) problems.push({ at: `trailer-${field}`, sentence });
  }
  if (photoFiles?.problem)
    problems.push({ at: `photoFiles-${photoFiles.step}`, sentence: photoFiles.problem });
  if (photoFiles && photoFiles.added === 0 && photoFiles.refused.length > 0) {
    problems.push({ at: "photoFiles", sentence: "No photo was imported. The section says why." });
  }
  return problems;
}

interface ItemRefusals extends FileRefusals {
  section?: SectionRefusal;
  order?: OrderRefusal;
  transition?: { transition: TransitionName; problem: string | null };
  problem?: string;
  code?: { section: string };
}

export function refusalLines(sent: ItemRefusals): ShownProblem[] {
  const { section, order, transition, problem, code } = sent;
  const codeAt = transition === undefined ? code?.section : `publication-${transition.transition}`;
  return [
    ...(code === undefined ? [] : [{ at: codeAt ?? null, sentence: CODE_NEEDED }]),
    ...(problem === undefined ? [] : [{ at: null, sentence: problem }]),
    ...(transition?.problem ? transitionProblems(transition.transition, transition.problem) : []),
    ...(section === undefined ? [] : sectionProblems(section)),
    ...(order === undefined ? [] : orderProblems(order)),
    ...fileProblems(sent),
  ];
}
