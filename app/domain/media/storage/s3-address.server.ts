import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { GetObjectCommand, HeadBucketCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { LRUCache } from "lru-cache";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { inTime } from "./s3-failures.ts";
import { type SignedAddress, StorageUnavailableError } from "./storage.ts";

const VALID_SECONDS = 60;
const LOOKUP_STAYS_MS = 10_000;

const lookups = new LRUCache<string, string>({
  max: 10,
  ttl: LOOKUP_STAYS_MS,
  allowStaleOnFetchRejection: true,
  fetchMethod: async (hostname) => (await lookup(hostname)).address,
});

/** For one GET. nginx asks DNS only at its start, and the addresses of a store change. */
export async function signedAddress(store: Store, object: StoredAt): Promise<SignedAddress> {
  // A process that only signs would never learn that its clock is wrong.
  if (!store.knowsTime()) await askTime(store, object.Bucket);
  const options = { expiresIn: VALID_SECONDS, signingDate: store.now() };
  const signed = await inTime(() => getSignedUrl(store.client, new GetObjectCommand(object), options));
  const [, scheme, host = "", path] = /^(https?:\/\/)([^/]+)(.*)$/.exec(signed) ?? [];
  const { hostname, port } = new URL(signed);
  const plain = hostname.replace(/^\[(.*)\]$/, "$1");
  const address = (await inTime(() => lookups.fetch(plain))) ?? plain;
  const reached = isIPv6(address) ? `[${address}]` : address;
  return { url: `${scheme}${reached}${port === "" ? "" : `:${port}`}${path}`, host };
}

/** Any answer tells the time, also a refusal. */
async function askTime({ client }: Store, Bucket: string): Promise<void> {
  try {
    await inTime((abortSignal) => client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
  } catch (error) {
    if (!(error instanceof StorageUnavailableError && error.isRefusal)) throw error;
  }
}
