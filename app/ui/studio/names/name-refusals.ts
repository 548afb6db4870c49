import { CODE_NEEDED, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { conflictError, type RefusalLine } from "../item/refusals.ts";

export const CONFIRM = "Please tick the box to confirm that you want to delete it.";

interface NameRefusal {
  section: string;
  errors: Record<string, string>;
  conflicts: { field: string }[];
}

export interface NamePageAnswer<Section extends NameRefusal> {
  section: Section | undefined;
  deletion: { isTicked: boolean; error: string | undefined } | undefined;
  error: string | undefined;
  /** For a form that needs a newer sign-in. */
  code: { section: string; request: RequestedCode } | undefined;
  errorId: string | undefined;
}

export const NO_NAME_ANSWER: NamePageAnswer<never> = {
  section: undefined,
  deletion: undefined,
  error: undefined,
  code: undefined,
  errorId: undefined,
};

export function namePageErrors({
  section,
  deletion,
  error,
  code,
}: NamePageAnswer<NameRefusal>): RefusalLine[] {
  return [
    ...(code === undefined ? [] : [{ at: code.section, sentence: CODE_NEEDED }]),
    ...(error === undefined ? [] : [{ at: null, sentence: error }]),
    ...(section === undefined ? [] : nameErrors(section)),
    ...(deletion?.error === undefined ? [] : [{ at: "delete-confirm", sentence: deletion.error }]),
  ];
}

export function nameErrors({ section, errors, conflicts }: NameRefusal): RefusalLine[] {
  const wrong = Object.entries(errors).map(([field, sentence]) => ({
    at: fieldId(section, field),
    sentence,
  }));
  return conflicts.length === 0 ? wrong : [...wrong, conflictError(section)];
}

/** For a section that is one list, the first input. */
function fieldId(section: string, field: string): string {
  if (field === "form") return section;
  if (field === "aliases" || field === "links") return `${field}-0`;
  return field.startsWith("links-") ? field : `${section}-${field}`;
}
