import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { trimInvisible } from "#app/texts.ts";

export type CheckedForm<Fields> =
  | { ok: true; value: Fields; refused(errors: Record<string, string>): SubmissionResult<string[]> }
  | { ok: false; unknownFields: number; refused(): SubmissionResult<string[]> };

const NOT_THIS_FORM =
  "The form does not match this page. Please reload the page and try again. If that does not help, a browser extension may have added a field. Try again without it.";

/**
 * Refuses anything but one text per name first, because the parser reads commands from names and fails on malformed ones. A
 * refused form keeps its texts as typed.
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
  const submission = parseWithZod(own, {
    schema: z.preprocess(trimTexts, schema),
    disableAutoCoercion: true,
  });
  const unknownFields = count(form) - count(own);
  if (unknownFields !== 0) {
    return { ok: false, unknownFields, refused: () => submission.reply({ formErrors: [NOT_THIS_FORM] }) };
  }
  if (submission.status !== "success") return { ok: false, unknownFields, refused: () => submission.reply() };
  return {
    ok: true,
    value: submission.value,
    refused: (errors) =>
      submission.reply({
        fieldErrors: Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, [error]])),
      }),
  };
}

function trimTexts(fields: unknown): Record<string, unknown> {
  const trim = (value: unknown) => (typeof value === "string" ? trimInvisible(value) : value);
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, trim(value)]));
}

function count(form: FormData): number {
  return [...form.keys()].length;
}
