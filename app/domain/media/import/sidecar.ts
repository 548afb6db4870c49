import { parseDocument, visit, type YAMLParseError } from "yaml";
import { z } from "zod";
import { isDay } from "#app/dates.ts";
import { ACCESSES } from "#app/domain/access/access.ts";
import { hasVisibleCharacter } from "#app/texts.ts";
import { ITEM_LIMITS, isReadable, normalizeName, normalizeText, textError } from "../item-texts.ts";
import { canonicalLanguage, LANGUAGE_TAG } from "../video/tracks.ts";

const NOT_VISIBLE = "must have a visible letter, digit or symbol";
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

const text = z
  .string("must be text")
  .refine(isReadable, "contains a control character")
  .transform(normalizeText);
const name = text.transform(normalizeName).refine(hasVisibleCharacter, NOT_VISIBLE);
const NO_MOMENT = "must be a date such as 2026-05-31, or with a time, 2026-05-31 18:00";
const moment = text.refine((value) => MOMENT.test(value) && isDay(value.slice(0, 10)), NO_MOMENT);
const flag = z
  .string("must be yes or no")
  .toLowerCase()
  .pipe(z.enum(["yes", "no", "true", "false"], "must be yes or no"))
  .transform((value) => value === "yes" || value === "true");
/** An empty text in quotes removes a value. */
const nothing = z.literal("");
const names = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z.array(name, "must be a list"),
);
const NO_LANGUAGE = "must be a language tag such as en or pt-BR";
const NO_CAPTIONS_FILE = "must be a .vtt or .srt file in the same folder";
const NO_ENCODING = "must be an encoding such as windows-1251 or shift_jis";
const captionFields = {
  language: z.string(NO_LANGUAGE).regex(LANGUAGE_TAG, NO_LANGUAGE),
  label: text.superRefine((label, { addIssue }) => {
    const problem = textError("The label", label, ITEM_LIMITS.captionsLabel);
    if (problem !== null) addIssue(problem);
  }),
  file: z.string(NO_CAPTIONS_FILE).regex(/^[^/\\]+\.(?:vtt|srt)$/i, NO_CAPTIONS_FILE),
  encoding: z.string(NO_ENCODING).refine(isEncoding, NO_ENCODING).optional(),
};
const caption = z.strictObject(captionFields, "must have the keys language, label and file");
const chapter = z.strictObject({ at: text, title: text }, "must have the keys at and title");
const photo = z
  .strictObject(
    { file: text, alt: text.optional(), preview: flag.optional() },
    "must have the key file, and alt or preview",
  )
  .refine(({ alt, preview }) => alt !== undefined || preview !== undefined, "has neither alt nor preview");
const sidecarFields = {
  title: text.refine(hasVisibleCharacter, NOT_VISIBLE).optional(),
  description: text.optional(),
  creators: names.optional(),
  tags: names.optional(),
  produced: z.union([nothing, text.refine(isDay)], "must be a day such as 2026-05-31").optional(),
  date: moment.optional(),
  expires: z.union([nothing, moment], NO_MOMENT).optional(),
  access: z.enum(ACCESSES, "must be free, member or subscriber").optional(),
  download: flag.optional(),
  shoot: z.union([nothing, name.pipe(z.string().max(ITEM_LIMITS.name))], "must be a name").optional(),
  chapters: z.array(chapter, "must be a list").optional(),
  photos: z.array(photo, "must be a list").optional(),
  captions: z
    .array(caption, "must be a list")
    .max(ITEM_LIMITS.captions, `has more than ${ITEM_LIMITS.captions} entries`)
    .superRefine((captions, context) => {
      const twice = captions.find(({ language }, index) => {
        return captions.findIndex((other) => isSame(other.language, language)) < index;
      });
      if (twice)
        context.addIssue({ code: "custom", message: `has two entries for the language ${twice.language}` });
    })
    .transform((captions) => captions.map((each) => ({ ...each, language: canonical(each.language) })))
    .optional(),
};
const sidecar = z.strictObject(sidecarFields, "must have keys such as title, each with its value");

function isSame(language: string, other: string): boolean {
  return canonical(language).toLowerCase() === canonical(other).toLowerCase();
}

function canonical(language: string): string {
  return canonicalLanguage(language) ?? language;
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

export type Sidecar = z.infer<typeof sidecar>;
export type CaptionsFile = z.infer<typeof caption>;

/** The format is in docs/import.md. Throws an Error with a one-line reason. */
export function parseSidecar(bytes: Uint8Array): Sidecar {
  const result = sidecar.safeParse(readYaml(decode(bytes)));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw new Error(`unknown key ${issue.keys.join(", ")}`);
  throw new Error(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("not UTF-8; save it as UTF-8");
  }
}

function yamlReason({ code, message }: YAMLParseError): string {
  const [place = ""] = message.split(/:?\n/);
  const advice = code === "TAB_AS_INDENT" ? "indent with spaces" : "put the text in quotes";
  return `${place} (${advice})`;
}

/** Every value is text: the title 1984, the tag 007, the name Null. A key is left out if its value is missing, `null` or `~`. */
function readYaml(yaml: string): unknown {
  const document = parseDocument(yaml, { schema: "core" });
  const [error] = document.errors;
  if (error) throw new Error(`not readable as YAML: ${yamlReason(error)}`);
  visit(document, {
    Scalar(_, scalar) {
      const isNothing = scalar.value === null && ["", "~", "null"].includes(scalar.source ?? "");
      if (typeof scalar.value !== "string" && !isNothing) scalar.value = scalar.source;
    },
  });
  return withoutNulls(toValue(document)) ?? {};
}

function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`not readable as YAML: ${(error as Error).message}`);
  }
}

function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(withoutNulls);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  );
}
