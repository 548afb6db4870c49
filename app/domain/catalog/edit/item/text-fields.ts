import { z } from "zod";
import { normalizeName, textError } from "#app/domain/media/item-texts.ts";

/** Sentences by the names of fields; "form" when no field is wrong. */
export type FieldErrors = Record<string, string>;

interface TextField {
  normalize?: (text: string) => string;
  mayBeEmpty?: boolean;
  /** The sentence of an empty field. */
  ifEmpty?: string;
}

/** In characters, before normalizing. Far above every field's own limit, so that people read the sentence about that one. */
export const LONGEST_FIELD = 64_000;
export const anyText = z.string().max(LONGEST_FIELD, { abort: true });

/** Normalized before it is checked. `longest`: in characters. */
export function textField(
  label: string,
  longest: number,
  { normalize = normalizeName, mayBeEmpty = false, ifEmpty }: TextField = {},
) {
  return anyText.overwrite(normalize).superRefine(
    problem((text) => {
      if (text === "" && mayBeEmpty) return null;
      return text === "" && ifEmpty !== undefined ? ifEmpty : textError(label, text, longest);
    }),
  );
}

/** A check that answers with a sentence, or with null when nothing is wrong. */
export function problem<Value>(find: (value: Value) => string | null) {
  return (value: Value, context: z.RefinementCtx<Value>) => {
    const message = find(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  };
}

/** The first sentence about each field. */
export function errorsIn(checked: z.ZodSafeParseResult<unknown>): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of checked.error?.issues ?? []) errors[String(path[0] ?? "form")] ??= message;
  return errors;
}
