import { createHash } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "#app/config/s3-settings.ts";

const CONNECT_MS = 2_000;
/** Of a request as a whole, of which the largest sends 16 MB. */
const REQUEST_MS = 60_000;
const ATTEMPTS = 4;
/** Every running video that a web process sends holds one. */
const MAX_CONNECTIONS = 2_000;
const CLOCK_TOLERANCE_MS = 2_000;
const CLOCK_AGE_MS = 10 * 60_000;

export interface Store {
  client: S3Client;
  /** By the store's clock, as its last answer told it. */
  now: () => Date;
  /** False before the first answer, and when the last one is old. */
  knowsTime: () => boolean;
}

export interface StoredAt {
  Bucket: string;
  Key: string;
}

export function connectStore({ region, endpoint, credentials, isPathStyle }: S3Settings): Store {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: isPathStyle,
    maxAttempts: ATTEMPTS,
    // Only Amazon knows the checksums that the client would send. Content-MD5 proves the bytes everywhere.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: REQUEST_MS,
      // Without it, a request that takes longer only causes a warning.
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  let clockAhead = 0;
  let readAt: number | null = null;
  client.middlewareStack.add(
    (next) => (args) => {
      const { body, headers } = args.request as { body?: unknown; headers: Record<string, string> };
      if (body instanceof Uint8Array || typeof body === "string")
        headers["content-md5"] = createHash("md5").update(body).digest("base64");
      return next(args);
    },
    { step: "build", name: "contentMd5" },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      const ahead = Date.parse(headers?.date ?? "") - Date.now();
      if (!Number.isNaN(ahead)) {
        clockAhead = Math.abs(ahead) > CLOCK_TOLERANCE_MS ? ahead : 0;
        readAt = performance.now();
      }
      return result;
    },
    { step: "deserialize", name: "storesClock", priority: "low" },
  );
  return {
    client,
    now: () => new Date(Date.now() + clockAhead),
    knowsTime: () => readAt !== null && performance.now() - readAt < CLOCK_AGE_MS,
  };
}
