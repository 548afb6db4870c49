import { parse } from "yaml";
import { z } from "zod";
import { hasVisibleSign, trimInvisible } from "#app/texts.ts";

const name = seenText(100);
const caption = z.strictObject({
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, "must be a language tag such as en or pt-BR"),
  label: seenText(60),
  file: z.string().regex(/^[^/\\]+\.(?:vtt|srt)$/i, "must be a .vtt or .srt file in the same folder"),
});
const sidecar = z.strictObject({
  title: seenText(200).optional(),
  description: z.string().trim().max(5000).optional(),
  creators: z.array(name).max(20).optional(),
  tags: z.array(name).max(30).optional(),
  date: z
    .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], "must be a date such as 2026-05-31")
    .transform((text) => new Date(text))
    .optional(),
  access: z.enum(["free", "member", "subscriber"]).optional(),
  captions: z
    .array(caption)
    .max(20)
    .superRefine((captions, context) => {
      const twice = captions.find(({ language }, index) => {
        return captions.findIndex((other) => isSame(other.language, language)) < index;
      });
      if (twice) context.addIssue({ code: "custom", message: `two for the language ${twice.language}` });
    })
    .optional(),
});

function seenText(longest: number) {
  const seen = z
    .string()
    .min(1)
    .max(longest)
    .refine(hasVisibleSign, "must have a letter, digit or sign that can be seen");
  return z.string().transform(trimInvisible).pipe(seen);
}

function isSame(language: string, other: string): boolean {
  return language.toLowerCase() === other.toLowerCase();
}

export type Sidecar = z.infer<typeof sidecar>;

/** The format is in docs/import.md. Throws an Error with a one-line reason. */
export function parseSidecar(text: string): Sidecar {
  const result = sidecar.safeParse(readYaml(text) ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw new Error(`unknown key ${issue.keys.join(", ")}`);
  throw new Error(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { schema: "core", maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`not readable as YAML: ${(error as Error).message.split("\n")[0]}`);
  }
}
