import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { inTime } from "./s3-failures.ts";
import { type StorageEntry, StorageUnavailableError } from "./storage.ts";

const ABANDONED_AFTER_MS = 24 * 3600 * 1000;

/** Objects and folders directly below the key, which ends with a slash, as the store orders them. */
export async function* entriesBelow(
  store: Store,
  { Bucket, Key }: StoredAt,
  search = "",
): AsyncGenerator<StorageEntry> {
  for await (const page of pagesOf(store, { Bucket, Prefix: Key + search, Delimiter: "/" })) {
    for (const { Prefix = "" } of page.CommonPrefixes ?? [])
      yield { name: Prefix.slice(Key.length, -1), bytes: null };
    for (const object of page.Contents ?? [])
      yield { name: (object.Key ?? "").slice(Key.length), bytes: object.Size ?? 0 };
  }
}

export async function deleteObject({ client }: Store, object: StoredAt): Promise<void> {
  await inTime((abortSignal) => client.send(new DeleteObjectCommand(object), { abortSignal }));
}

/** What an interruption leaves is deleted when it is called again. */
export async function deleteBelow(store: Store, { Bucket, Key }: StoredAt): Promise<void> {
  for await (const { Contents = [] } of pagesOf(store, { Bucket, Prefix: Key })) {
    if (Contents.length === 0) continue;
    const Delete = { Objects: Contents.map((object) => ({ Key: object.Key })), Quiet: true };
    const { Errors: [refused] = [] } = await inTime((abortSignal) =>
      store.client.send(new DeleteObjectsCommand({ Bucket, Delete }), { abortSignal }),
    );
    if (refused !== undefined)
      throw new StorageUnavailableError(`The object store refuses to delete: ${refused.Code}`);
  }
}

/** A part that was never completed is paid for and shown nowhere. */
export async function abortAbandoned(store: Store, { Bucket, Key: Prefix }: StoredAt): Promise<number> {
  let aborted = 0;
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (;;) {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after });
    const page = await inTime((abortSignal) => store.client.send(command, { abortSignal }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (store.now().getTime() - (Initiated?.getTime() ?? 0) < ABANDONED_AFTER_MS) continue;
      const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
      await inTime((abortSignal) => store.client.send(abort, { abortSignal })).catch(unlessEnded);
      aborted += 1;
    }
    if (!page.IsTruncated) return aborted;
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

async function* pagesOf({ client }: Store, where: { Bucket: string; Prefix: string; Delimiter?: string }) {
  for (let token: string | undefined; ; ) {
    const command = new ListObjectsV2Command({
      ...where,
      ...(token === undefined ? {} : { ContinuationToken: token }),
    });
    const page = await inTime((abortSignal) => client.send(command, { abortSignal }));
    yield page;
    token = page.NextContinuationToken;
    if (!page.IsTruncated || token === undefined) return;
  }
}

/** Another machine was faster. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof StorageUnavailableError && error.reason === "NoSuchUpload")) throw error;
}
