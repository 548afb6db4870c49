import { z } from "zod";
import { type Network, parseNetwork } from "./addresses.ts";

const MAX_PROXY_HOPS = 5;
/**
 * Where a proxy that is only counted may connect from: this machine and private networks. A visitor from another network has
 * reached the port without it, and would choose the address by which the site knows them.
 */
const COUNTED_PROXIES = [
  ...[
    "127.0.0.0/8",
    "::1",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
  ],
  ...["fc00::/7", "fe80::/10"],
];

/** The number of proxies, or their addresses and networks ("10.0.0.0/8"). */
export type TrustedProxies = number | string[];

export function parseTrustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  if (/^\d+$/.test(text.trim()) && Number(text) <= MAX_PROXY_HOPS) return Number(text);
  const entries = text.split(",").map((entry) => entry.trim());
  // nginx knows no zones ("fe80::1%eth0").
  if (entries.every((entry) => parseNetwork(entry) !== null && !entry.includes("%"))) return entries;
  context.addIssue(
    `must be a number from 0 to ${MAX_PROXY_HOPS}, or the addresses and networks of proxies, separated by commas`,
  );
  return z.NEVER;
}

export function proxyNetworks(trusted: TrustedProxies): string[] {
  if (trusted === 0) return [];
  return typeof trusted === "number" ? COUNTED_PROXIES : trusted;
}

export function parseNetworks(trusted: TrustedProxies): Network[] {
  return proxyNetworks(trusted)
    .map(parseNetwork)
    .filter((network) => network !== null);
}
