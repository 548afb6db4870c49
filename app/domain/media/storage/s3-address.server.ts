import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { LRUCache } from "lru-cache";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { answered } from "./s3-failures.ts";
import type { SignedAddress } from "./storage.ts";

const VALID_SECONDS = 60;
const LOOKUP_STAYS_MS = 10_000;

const lookups = new LRUCache<string, string>({
  max: 10,
  ttl: LOOKUP_STAYS_MS,
  fetchMethod: async (hostname) => (await lookup(hostname)).address,
});

/** For one GET. nginx asks DNS only at its start, and the addresses of a store change. */
export async function signedAddress({ client, now }: Store, object: StoredAt): Promise<SignedAddress> {
  const options = { expiresIn: VALID_SECONDS, signingDate: now() };
  const signed = await answered(getSignedUrl(client, new GetObjectCommand(object), options));
  const [, scheme, host = "", path] = /^(https?:\/\/)([^/]+)(.*)$/.exec(signed) ?? [];
  const { hostname, port } = new URL(signed);
  const address =
    (await answered(lookups.fetch(hostname.replace(/^\[(.*)\]$/, "$1")) as Promise<string>)) ?? hostname;
  const reached = isIPv6(address) ? `[${address}]` : address;
  return { url: `${scheme}${reached}${port === "" ? "" : `:${port}`}${path}`, host };
}
