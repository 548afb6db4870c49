import qs from "qs";
import { z } from "zod";
import { invalid } from "../state/fault.ts";

const MAX_LIST_LENGTH = 1000;

/** Parses Stripe's notation for nested parameters: items[0][price]=price_1. */
export function parseForm(text: string): Record<string, unknown> {
  return qs.parse(text, { depth: 10, arrayLimit: MAX_LIST_LENGTH, parameterLimit: MAX_LIST_LENGTH });
}

export const text = z.string().max(5_000);
export const whole = z.coerce.number().int();
export const flag = z.enum(["true", "false"]).transform((word) => word === "true");
/** An empty text unsets a value. */
export const unsettable = text.transform((value) => (value === "" ? null : value));
export const metadata = z.union([z.record(z.string(), text), z.literal("")]);
export const range = z.union([
  whole.transform((at) => ({ gte: at, lte: at })),
  z.object({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
]);

/** @throws {Fault} naming the parameter as Stripe does */
export function read<S extends z.ZodType>(schema: S, params: unknown): z.infer<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [first = "", ...rest] = issue?.path.map(String) ?? [];
  const param = first + rest.map((part) => `[${part}]`).join("");
  if (
    issue?.code === "invalid_type" &&
    issue.input === undefined &&
    valueAt(params, issue.path) === undefined
  ) {
    throw invalid(`Missing required param: ${param}.`, param, "parameter_missing");
  }
  throw invalid(`Invalid ${param}: ${issue?.message}`, param, "parameter_invalid");
}

export function mergeMetadata<M extends Record<string, string> | null>(
  old: M,
  given: z.infer<typeof metadata> | undefined,
): Record<string, string> {
  if (given === "") return {};
  const merged = Object.entries({ ...old, ...given }).filter(([, value]) => value !== "");
  return Object.fromEntries(merged);
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}
