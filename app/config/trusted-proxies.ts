import { z } from "zod";
import { parseNetwork } from "./addresses.ts";

const MAX_PROXY_HOPS = 5;

/** The number of proxies, or their addresses and networks ("10.0.0.0/8"). */
export type TrustedProxies = number | string[];

export function parseTrustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  if (/^\d+$/.test(text.trim()) && Number(text) <= MAX_PROXY_HOPS) return Number(text);
  const entries = text.split(",").map((entry) => entry.trim());
  if (entries.every((entry) => parseNetwork(entry) !== null)) return entries;
  context.addIssue(
    `must be a number from 0 to ${MAX_PROXY_HOPS}, or addresses and networks of proxies with commas between them`,
  );
  return z.NEVER;
}
