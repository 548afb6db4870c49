import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** `refused` is what the form takes to show what was typed again, with why beside each field. */
export type CheckedForm<Fields> =
  | { ok: true; value: Fields; refused(problems: Record<string, string>): SubmissionResult<string[]> }
  | { ok: false; refused(): SubmissionResult<string[]> };

const NOT_THIS_FORM = "What was sent does not fit this form. Please reload the page and try again.";

/**
 * Checks a form of text fields. What is not exactly one text for a name of the schema is refused, and the parser never
 * sees it: it takes commands and paths out of names, fails on malformed ones and fills arrays up to any index.
 */
export function checkForm<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
): CheckedForm<z.output<Schema>> {
  const own = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const text = form.get(name);
    if (typeof text === "string") own.set(name, text);
  }
  const submission = parseWithZod(own, { schema, disableAutoCoercion: true });
  if (count(form) !== count(own)) {
    return { ok: false, refused: () => submission.reply({ formErrors: [NOT_THIS_FORM] }) };
  }
  if (submission.status !== "success") return { ok: false, refused: () => submission.reply() };
  return {
    ok: true,
    value: submission.value,
    refused: (problems) =>
      submission.reply({
        fieldErrors: Object.fromEntries(Object.entries(problems).map(([name, why]) => [name, [why]])),
      }),
  };
}

function count(form: FormData): number {
  return [...form.keys()].length;
}
