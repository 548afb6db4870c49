import { CODE_NEEDED, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { conflictProblem, type ShownProblem } from "../item/refusals.ts";

export const CONFIRM = "Please tick that you want to delete it.";

interface NameRefusal {
  section: string;
  errors: Record<string, string>;
  conflicts: { field: string }[];
}

/** The answer to a form of a creator or a tag that does not lead back to the page. */
export interface NamePageAnswer<Section extends NameRefusal> {
  section: Section | undefined;
  deletion: { isTicked: boolean; problem: string | undefined } | undefined;
  /** About no field. */
  problem: string | undefined;
  /** For a form that was sent with a sign-in too old for it. */
  code: { section: string; request: RequestedCode } | undefined;
  errorId: string | undefined;
}

export const NO_NAME_ANSWER: NamePageAnswer<never> = {
  section: undefined,
  deletion: undefined,
  problem: undefined,
  code: undefined,
  errorId: undefined,
};

/** The lines of the summary, each with the field that it is about. */
export function namePageProblems({
  section,
  deletion,
  problem,
  code,
}: NamePageAnswer<NameRefusal>): ShownProblem[] {
  return [
    ...(code === undefined ? [] : [{ at: code.section, sentence: CODE_NEEDED }]),
    ...(problem === undefined ? [] : [{ at: null, sentence: problem }]),
    ...(section === undefined ? [] : nameProblems(section)),
    ...(deletion?.problem === undefined ? [] : [{ at: "delete-confirm", sentence: deletion.problem }]),
  ];
}

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
