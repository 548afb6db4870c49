import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  type LifecycleRule,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "#app/config/s3-settings.ts";
import { s3Storage } from "./s3.server.ts";
import { connectStore, type Store } from "./s3-client.server.ts";
import { inTime } from "./s3-failures.ts";
import { StorageUnavailableError } from "./storage.ts";

/** Deleted and withdrawn files must be gone by then, old versions included. */
export const VERSIONS_STAY_DAYS = 35;
const MAX_CLOCK_MS = 60_000;
const UNSIGNED_MS = 5_000;

/** Writes an object, asks for it without a signature and deletes it. Returns null when nobody gets it. */
export async function publicProblem(settings: S3Settings): Promise<string | null> {
  return withProbe(settings, async (url) => {
    const unsigned = await fetch(url, { signal: AbortSignal.timeout(UNSIGNED_MS) });
    await unsigned.body?.cancel();
    if (!unsigned.ok) return null;
    return `The bucket ${settings.bucket} gives its files to everyone who knows their address: take away its public access`;
  });
}

/** What a site does with the store, in its order. Returns what to change, or null. */
export async function storeProblem(settings: S3Settings): Promise<string | null> {
  const storage = s3Storage(settings);
  try {
    const found = await publicProblem(settings);
    if (found !== null) return found;
    const folder = `doctor-${randomUUID()}`;
    await storage.put(`${folder}/file`, Buffer.from("0123456789"));
    const part = await text(await storage.open(`${folder}/file`, { start: 2, end: 4 }));
    if (part !== "234") return "The store ignores ranges, which videos need: use another one";
    if ((await storage.list(folder)).length !== 1) return "The store does not list what it has stored";
    await storage.deleteFolder(folder);
    if ((await storage.head(`${folder}/file`)) !== null) return "The store keeps what was deleted";
    return await clockProblem(connectStore(settings), settings.bucket);
  } catch (error) {
    return storeAdvice(error, settings);
  }
}

/** The store keeps earlier versions itself, which a backup of the site does not contain. */
export async function versionsProblem(settings: S3Settings): Promise<string | null> {
  const { client } = connectStore(settings);
  const Bucket = settings.bucket;
  const { Status } = await inTime((abortSignal) =>
    client.send(new GetBucketVersioningCommand({ Bucket }), { abortSignal }),
  );
  if (Status !== "Enabled")
    return `The bucket ${Bucket} keeps no earlier versions, so a file that is deleted by mistake is lost: turn on its versioning`;
  const rules = await inTime((abortSignal) =>
    client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }), { abortSignal }),
  ).then(
    ({ Rules = [] }) => Rules,
    (error) => {
      if (error instanceof StorageUnavailableError && error.reason === "NoSuchLifecycleConfiguration")
        return [];
      throw error;
    },
  );
  if (rules.some((rule) => endsVersions(rule, settings.prefix))) return null;
  return `The bucket ${Bucket} keeps earlier versions forever, also of what was withdrawn: let them expire after at most ${VERSIONS_STAY_DAYS} days`;
}

/** For a host, by what the store answered. */
export function storeAdvice(error: unknown, { bucket, endpoint = "Amazon" }: S3Settings): string {
  const reason = error instanceof StorageUnavailableError ? error.reason : (error as Error).name;
  switch (reason) {
    case "NoSuchBucket":
      return `There is no bucket ${bucket} at ${endpoint}: create it, or correct STORAGE`;
    case "InvalidAccessKeyId":
      return "The store does not know S3_ACCESS_KEY: correct it";
    case "SignatureDoesNotMatch":
      return "S3_SECRET_KEY does not belong to S3_ACCESS_KEY: correct it";
    case "AccessDenied":
    case "UserSuspended":
      return `The store refuses this key: let it read, write, list and delete objects in ${bucket}`;
    case "QuotaExceeded":
      return `The bucket ${bucket} is full: raise its quota`;
    case "RequestTimeTooSkewed":
      return "The clocks of this machine and of the store differ by more than 15 minutes: turn on time synchronization";
    case "CredentialsProviderError":
      return "There are no credentials for the store: set S3_ACCESS_KEY and S3_SECRET_KEY, or give this machine a role";
    default:
      return `The store at ${endpoint} does not answer as it should (${reason}): check S3_ENDPOINT, and whether the store runs`;
  }
}

async function withProbe<Found>(settings: S3Settings, use: (url: string) => Promise<Found>): Promise<Found> {
  const storage = s3Storage(settings);
  const key = `doctor-${randomUUID()}`;
  await storage.put(key, Buffer.from("1"));
  try {
    const { url = "", host = "" } = (await storage.addressOf(key)) ?? {};
    return await use(url.replace(/\?.*/, "").replace(/^(https?:\/\/)[^/]+/, `$1${host}`));
  } finally {
    await storage.delete(key).catch(() => {});
  }
}

async function clockProblem({ client, now }: Store, bucket: string): Promise<string | null> {
  await inTime((abortSignal) => client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }));
  const seconds = Math.round((Date.now() - now().getTime()) / 1000);
  if (Math.abs(seconds) * 1000 < MAX_CLOCK_MS) return null;
  return `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the store's: turn on time synchronization`;
}

/** A rule for some of the objects, or one that keeps a number of versions, leaves some forever. */
function endsVersions(
  { Status, Filter = {}, Prefix, NoncurrentVersionExpiration: end = {} }: LifecycleRule,
  prefix: string,
) {
  const { Prefix: covered = Prefix ?? "", ...narrower } = Filter;
  const isForAll =
    prefix.startsWith(covered) && Object.values(narrower).every((value) => value === undefined);
  const days = end.NewerNoncurrentVersions === undefined ? end.NoncurrentDays : undefined;
  return Status === "Enabled" && isForAll && days !== undefined && days <= VERSIONS_STAY_DAYS;
}
