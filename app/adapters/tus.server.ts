// Needed because @tus/server knows files on a disk, but not people, rows or leases: decision 161.

import { DataStore, type Locker, Server, Upload } from "@tus/server";
import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import { UPLOAD_LIMITS } from "#app/domain/uploads/upload-limits.ts";
import { type TakenLock, takeLock } from "#app/domain/uploads/upload-locks.server.ts";
import { findUpload, UploadRefusal, writePiece } from "#app/domain/uploads/write-piece.server.ts";
import { log } from "#app/log.server.ts";
import { paths } from "#app/paths.ts";

/** The protocol reads no other header, and least of all forwarded host names. */
const HEADERS = ["content-length", "tus-resumable", "upload-length", "upload-metadata", "upload-offset"];
/** A new upload that came with its first piece would be written without a lock. */
const PIECE_HEADERS = [...HEADERS, "content-type"];
const GONE = { status_code: 404, body: "This upload no longer exists.\n" };
const BUSY = { status_code: 423, body: "Another request is still writing this upload.\n" };
const FAILED = { status_code: 500, body: "We could not store this piece. Please try again.\n" };

/** Call it after a guard. */
export async function answerUpload(request: Request, userId: string): Promise<Response> {
  const method = methodOf(request);
  if (method === null) return new Response(null, { status: 405, headers: { Allow: "POST, HEAD" } });
  const { pathname } = new URL(request.url);
  const headers = (method === "PATCH" ? PIECE_HEADERS : HEADERS).flatMap((name): [string, string][] => {
    const value = request.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const hasBody = method === "PATCH" && request.body !== null;
  const passed = new Request(`http://site.invalid${pathname}`, {
    ...{ method, headers, signal: request.signal },
    ...(hasBody ? { body: request.body, duplex: "half" } : {}),
  } as RequestInit);
  const response = await serverFor(userId, method).handleWeb(passed);
  // Other sites have no business here.
  for (const name of [...response.headers.keys()]) {
    if (name.startsWith("access-control-")) response.headers.delete(name);
  }
  return response;
}

/** A piece comes as POST with a header that names its method, because some proxies pass on only GET, HEAD and POST. */
function methodOf({ method, headers }: Request): "HEAD" | "POST" | "PATCH" | null {
  if (method === "HEAD") return method;
  if (method !== "POST") return null;
  const named = headers.get("x-http-method-override");
  if (named === null) return method;
  return named === "PATCH" ? named : null;
}

/** One for each request, so that none of its methods can reach another person's uploads. */
function serverFor(userId: string, method: string): Server {
  const own: OwnLock = { lock: null };
  return new Server({
    path: paths.studioUploadFiles(),
    relativeLocation: true,
    respectForwardedHeaders: false,
    datastore: new RowStore(userId, own),
    locker: method === "POST" ? UNLOCKED : lockerFor(userId, own),
    onResponseError(_request, error) {
      if (error instanceof UploadRefusal) return { status_code: error.status, body: `${error.message}\n` };
      if ("status_code" in error) return error;
      log.warn({ err: error }, "a piece of an upload was not stored");
      return FAILED;
    },
  });
}

type OwnLock = { lock: TakenLock | null };

/** Nobody knows the id of a new upload yet. */
const UNLOCKED: Locker = { newLock: () => ({ async lock() {}, async unlock() {} }) };

class RowStore extends DataStore {
  readonly #userId: string;
  readonly #own: OwnLock;

  constructor(userId: string, own: OwnLock) {
    super();
    this.#userId = userId;
    this.#own = own;
    this.extensions = ["creation"];
  }

  /** One file. The studio's page declares all chosen files at once. */
  override async create(upload: Upload): Promise<Upload> {
    const { filename, fingerprint } = upload.metadata ?? {};
    const bytes = upload.size ?? 0;
    const path = filename ?? "";
    const isTooLong =
      path.length > UPLOAD_LIMITS.path || (fingerprint ?? "").length > UPLOAD_LIMITS.fingerprint;
    if (isTooLong || upload.size === undefined || !Number.isSafeInteger(bytes)) {
      throw new UploadRefusal(422, "An upload needs the name and the size of its file.");
    }
    const declared = await declareBatch(this.#userId, [{ path, bytes, fingerprint: fingerprint ?? "" }]);
    if ("problem" in declared) throw new UploadRefusal(507, declared.problem);
    const [file] = declared.uploads;
    if (file === undefined) throw new UploadRefusal(415, "This site does not accept this file.");
    upload.id = file.id;
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await findUpload(this.#userId, id);
    if (found === null) throw GONE;
    return new Upload({ id, size: found.bytes, offset: found.receivedBytes });
  }

  override async write(stream: AsyncIterable<Uint8Array>, id: string, offset: number): Promise<number> {
    const token = this.#own.lock?.token;
    if (token === undefined) throw BUSY;
    return writePiece({ userId: this.#userId, uploadId: id, token, offset }, stream);
  }
}

function lockerFor(userId: string, own: OwnLock): Locker {
  return {
    newLock: (uploadId) => ({
      async lock(signal, onWanted) {
        const taken = await takeLock({ userId, uploadId }, { signal, onWanted: () => void onWanted() });
        if (taken === "gone") throw GONE;
        if (taken === "busy") throw BUSY;
        own.lock = taken;
      },
      async unlock() {
        await own.lock?.release();
        own.lock = null;
      },
    }),
  };
}
