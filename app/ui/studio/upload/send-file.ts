import type { DetailedError, Upload } from "tus-js-client";
import { PIECE_BYTES } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";

const RETRY_DELAYS_MS = [500, 2_000, 5_000];
/** The site is still writing, or another request for the file is about to end. */
const RETRIED_STATUSES = [409, 423];
export const FULL = 507;
const UNREADABLE = "This file can no longer be read. Choose it again.";

export interface SendFailure {
  /** 0 when the site did not answer. */
  status: number;
  sentence: string;
  retryAfterSeconds: number | null;
  /** Moved, deleted or changed since it was chosen. */
  isFileGone: boolean;
}

interface Sending {
  onProgress: (bytes: number) => void;
  onStored: () => void;
  onSuccess: () => void;
  onFailure: (failure: SendFailure) => void;
}

/** Resumes where the site stopped. The library is loaded with the first file. */
export async function sendFile(id: string, file: File, on: Sending): Promise<Pick<Upload, "abort">> {
  const tus = await import("tus-js-client");
  const upload = new tus.Upload(file, {
    uploadUrl: new URL(paths.studioUploadFiles(id), window.location.origin).href,
    chunkSize: PIECE_BYTES,
    overridePatchMethod: true,
    storeFingerprintForResuming: false,
    retryDelays: RETRY_DELAYS_MS,
    onShouldRetry: (error) => {
      const status = statusOf(error);
      return status === 0 || RETRIED_STATUSES.includes(status) || (status >= 500 && status !== FULL);
    },
    onProgress: on.onProgress,
    onChunkComplete: on.onStored,
    onSuccess: on.onSuccess,
    onError: (error) => void failureOf(error, file).then(on.onFailure),
  });
  upload.start();
  return upload;
}

function statusOf(error: Error | DetailedError): number {
  return ("originalResponse" in error && error.originalResponse?.getStatus()) || 0;
}

async function failureOf(error: Error | DetailedError, file: File): Promise<SendFailure> {
  const status = statusOf(error);
  // A file that cannot be read ends a request like an outage.
  if (status === 0 && !(await isReadable(file))) {
    return { status, sentence: UNREADABLE, retryAfterSeconds: null, isFileGone: true };
  }
  const response = "originalResponse" in error ? error.originalResponse : null;
  const wait = Number(response?.getHeader("Retry-After") ?? Number.NaN);
  return {
    status,
    sentence: sentenceIn(response?.getBody() ?? ""),
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
    isFileGone: false,
  };
}

function isReadable(file: File): Promise<boolean> {
  const read = file.slice(0, 1).arrayBuffer();
  return read.then(
    () => true,
    () => false,
  );
}

/** Pages and data hold no sentence. */
function sentenceIn(body: string): string {
  const text = body.trim();
  return text === "" || text.length > 500 || /^[<{[]/.test(text) ? "" : text;
}
