import { z } from "zod";

/** `problemOf` returns what is wrong, without repeating any of it, or null. */
export function checked(problemOf: (value: string) => string | null) {
  return z.string().superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue(problem);
  });
}

/** A path of a file or folder. */
export function path() {
  return z
    .string()
    .refine(
      (text) => !text.startsWith("~"),
      "begins with ~, which only a shell replaces: write the full path",
    );
}

export function wholeNumber(min: number, max: number) {
  const isInRange = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return z.string().refine(isInRange, `must be a whole number from ${min} to ${max}`).transform(Number);
}

export function oneOf<const Value extends string>(values: Value[]) {
  return z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}
