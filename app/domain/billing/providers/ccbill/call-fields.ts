import { z } from "zod";
import type { ProviderCall } from "../contract/events.ts";

export type Fields = ReadonlyMap<string, string>;

const text = z.string().max(4_000, { abort: true });
const value = z.union([text, z.boolean().transform(String)]);
/** Newer versions may return a link's variables in an object of their own. */
const document = z.record(text, z.union([value, z.null(), z.record(text, z.unknown())]));
const PASSED_THROUGH = "passThrough";
const FROM_LINK = "X-";

/** Null unless the body is a form or flat JSON that agrees with the query. */
export function readCallFields({ url, body }: Pick<ProviderCall, "url" | "body">): Fields | null {
  const sent = body.trimStart().startsWith("{") ? readJson(body) : readPairs(new URLSearchParams(body));
  const query = readPairs(url.searchParams);
  if (sent === null || query === null) return null;
  for (const [name, text] of query) if ((sent.get(name) ?? text) !== text) return null;
  return new Map([...query, ...sent]);
}

/** Null when a name comes twice. */
function readPairs(pairs: URLSearchParams): Map<string, string> | null {
  const fields = new Map(pairs);
  return fields.size === pairs.size ? fields : null;
}

/** Numbers are read as text: ids have more digits than a number can hold. */
function readJson(body: string): Map<string, string> | null {
  const parsed = document.safeParse(parseWithNumbersAsText(body));
  if (!parsed.success) return null;
  const fields = new Map<string, string>();
  for (const [name, given] of Object.entries(parsed.data)) {
    if (typeof given === "string") fields.set(name, given);
    else if (name === PASSED_THROUGH) for (const [key, text] of passedThrough(given)) fields.set(key, text);
  }
  return fields;
}

function passedThrough(given: Record<string, unknown> | null): [string, string][] {
  return Object.entries(given ?? {}).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" ? [[name.startsWith(FROM_LINK) ? name : FROM_LINK + name, text]] : [],
  );
}

function parseWithNumbersAsText(body: string): unknown {
  const asText = (_name: string, given: unknown, context?: { source: string }) =>
    typeof given === "number" ? context?.source : given;
  try {
    return JSON.parse(body, asText);
  } catch {
    return null;
  }
}
