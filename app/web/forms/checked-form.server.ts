import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { trimInvisible } from "#app/texts.ts";

export type CheckedForm<Fields> =
  | { ok: true; value: Fields; refused(errors: Record<string, string>): SubmissionResult<string[]> }
  | { ok: false; unknownFields: number; refused(): SubmissionResult<string[]> };

export const NOT_THIS_FORM =
  "The form does not match this page. Please reload the page and try again. If that does not help, a browser extension may be adding a field: turn it off and try again.";

/**
 * Refuses anything but the schema's names first, with one text each unless it is an array, because the parser reads commands
 * from names and fails on malformed ones. A refused form keeps its texts as typed.
 */
export function checkForm<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
): CheckedForm<z.output<Schema>> {
  const own = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const texts = form.getAll(name).filter((value) => typeof value === "string");
    for (const text of isList(schema, name) ? texts : texts.slice(0, 1)) own.append(name, text);
  }
  const submission = parseWithZod(own, {
    schema: z.preprocess((fields) => trimTexts(fields, schema), schema),
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

/** One text of a list comes alone, and none at all. */
function trimTexts(fields: unknown, schema: z.ZodObject): Record<string, unknown> {
  const trim = (value: unknown) => (typeof value === "string" ? trimInvisible(value) : value);
  const given: Record<string, unknown> = { ...(fields as object) };
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      if (isList(schema, name)) return [[name, [given[name] ?? []].flat().map(trim)]];
      return name in given ? [[name, trim(given[name])]] : [];
    }),
  );
}

function isList(schema: z.ZodObject, name: string): boolean {
  return schema.shape[name] instanceof z.ZodArray;
}

function count(form: FormData): number {
  return [...form.keys()].length;
}
