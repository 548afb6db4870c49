import { conflictProblem, type ShownProblem } from "../item/refusals.ts";

export const CONFIRM = "Please tick that you want to delete it.";

interface NameRefusal {
  section: string;
  errors: Record<string, string>;
  conflicts: { field: string }[];
}

/** The lines of the summary, each with the field that it is about. */
export function nameProblems({ section, errors, conflicts }: NameRefusal): ShownProblem[] {
  const wrong = Object.entries(errors).map(([field, sentence]) => ({
    at: fieldId(section, field),
    sentence,
  }));
  return conflicts.length === 0 ? wrong : [...wrong, conflictProblem(section)];
}

/** Where the fields of a section are one list, the first of its inputs. */
function fieldId(section: string, field: string): string {
  if (field === "form") return section;
  if (field === "aliases" || field === "links") return `${field}-0`;
  return field.startsWith("links-") ? field : `${section}-${field}`;
}
