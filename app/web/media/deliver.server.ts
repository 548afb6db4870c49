import type { ServedFile } from "#app/domain/catalog/media/served-file.server.ts";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import { MissingObjectError } from "#app/domain/media/storage/storage.ts";
import { MAX_SEGMENT_BYTES } from "#app/domain/media/video/ladder.ts";
import { log } from "#app/log.server.ts";
import { isThroughFront } from "../request/front-requests.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import type { VideoForm, VideoRefusal } from "../server/sent-videos.server.ts";
import { attachment } from "./attachment.ts";
import { emptyResponse, videoRefusal } from "./file-refusals.server.ts";
import { fileStream } from "./file-stream.server.ts";
import { answerRange, type RangeAnswer } from "./range-answer.server.ts";
import type { RunningVideo } from "./running-videos.server.ts";

/** A viewer's permission for one file, and the checks while it is sent. */
export interface Grant {
  /** Open to everyone past the age gate, so the browser may cache it for an hour. */
  isTeaser: boolean;
  /** Public, and its URL never serves other bytes. */
  isImmutable?: boolean;
  isDownload: boolean;
  /** Only for originals. */
  savedAs?: string;
  hasAccess: () => Promise<boolean>;
  /** Null when nginx sends it. */
  startSending: (video: {
    form: VideoForm;
    isSentHere: boolean;
  }) => Promise<RunningVideo | VideoRefusal | null>;
}

/** no-transform: compression by a proxy would break lengths and ranges. */
export const PRIVATE_FILE_HEADERS = {
  "Cache-Control": "private, no-store, no-transform",
  "Content-Security-Policy": "sandbox; default-src 'none'",
};

const CLOSED_RANGE = /^bytes=(?:(?<first>\d{1,15})-(?<last>\d{1,15})|-(?<suffix>\d{1,15}))\s*$/;
const SMALL_BYTES = 128 * 1024;
/** nginx parses the Range header itself, so it gets only ranges that it reads as the site does. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;
/** nginx obeys these headers and the site does not. */
const NGINX_CONDITIONS = ["if-match", "if-unmodified-since"];

/** The only way out for stored bytes, except for a set in one file: decision 143. */
export async function deliver(grant: Grant, file: ServedFile, request: Request): Promise<Response> {
  if (!(await storageOf(file.storage).isPresent(file.storageKey, file.bytes))) return missing(file);
  const headers = headersOf(grant, file);
  const answer = answerRange(request, file.bytes, headers);
  if (answer instanceof Response) return answer;
  if (request.method === "HEAD" || file.bytes === 0) return new Response(null, answer.init);

  const { range } = answer;
  const form = videoForm(grant, file, range, request);
  // An original takes hours, and an item may be taken down meanwhile because a performer has withdrawn consent.
  const endsWithAccess = form === "playback" || grant.savedAs !== undefined;
  const isSentHere = endsWithAccess || !nginxMaySend(request, range);
  const video = form === null ? null : await grant.startSending({ form, isSentHere });
  if (video !== null && "status" in video) return videoRefusal(video.status);
  if (!isSentHere) return sentByNginx(file, headers, range);
  if (form === null && range === "whole" && file.bytes <= SMALL_BYTES) return sendInOnePiece(file, answer);
  return sendAsStream(grant, file, request, { endsWithAccess, video, ...answer });
}

/** Null for pictures and captions. Every original counts as a video. */
function videoForm(
  grant: Grant,
  file: ServedFile,
  range: RangeAnswer["range"],
  request: Request,
): VideoForm | null {
  if (grant.savedAs === undefined && !file.contentType.startsWith("video/")) return null;
  if (grant.isDownload) return "download";
  return range !== "whole" && requestsPart(request) ? "part" : "playback";
}

/** A closed range that is no larger than a segment, as HLS players request it. */
export function requestsPart(request: Request): boolean {
  const { first, last, suffix } = CLOSED_RANGE.exec(request.headers.get("range") ?? "")?.groups ?? {};
  const bytes = suffix === undefined ? Number(last) - Number(first) + 1 : Number(suffix);
  return bytes > 0 && bytes <= MAX_SEGMENT_BYTES;
}

function nginxMaySend(request: Request, range: RangeAnswer["range"]): boolean {
  if (!isThroughFront(request)) return false;
  const requested = request.headers.get("range");
  if (requested !== null && (range === "whole" || !PLAIN_RANGE.test(requested))) return false;
  return !NGINX_CONDITIONS.some((name) => request.headers.has(name));
}

async function sentByNginx(
  { storage, storageKey }: ServedFile,
  headers: FileHeaders,
  range: RangeAnswer["range"],
): Promise<Response> {
  const address = await storageOf(storage).addressOf(storageKey);
  if (address !== null) {
    // Under other names, because the page of an error would have them as well.
    const { "Cache-Control": cached, "Content-Disposition": disposition, ...sent } = headers;
    const stored = {
      ...{ "X-Stored-At": address.url, "X-Stored-Host": address.host, "X-Stored-Cache": cached },
      ...(disposition === undefined ? {} : { "X-Stored-Disposition": disposition }),
    };
    return new Response(null, { headers: { ...sent, ...stored, "X-Accel-Redirect": "/_stored" } });
  }
  // nginx itself adds Accept-Ranges and the length to a whole file of a folder.
  const { "Accept-Ranges": _, ...ofWholeFile } = headers;
  const sent = range === "whole" ? ofWholeFile : headers;
  return new Response(null, { headers: { ...sent, "X-Accel-Redirect": `/_file/${storageKey}` } });
}

async function sendInOnePiece(file: ServedFile, { init }: RangeAnswer): Promise<Response> {
  const bytes = await storageOf(file.storage).read(file.storageKey);
  return bytes?.byteLength === file.bytes ? new Response(bytes, init) : missing(file);
}

async function sendAsStream(
  grant: Grant,
  file: ServedFile,
  request: Request,
  {
    endsWithAccess,
    video,
    bytes,
    init,
  }: { endsWithAccess: boolean; video: RunningVideo | null } & RangeAnswer,
): Promise<Response> {
  const onEnd = () => void video?.end();
  const source = await storageOf(file.storage)
    .open(file.storageKey, bytes)
    .catch((error: unknown) => {
      onEnd();
      if (error instanceof MissingObjectError) return null;
      throw error;
    });
  if (source === null) return missing(file);
  const response = contextOf(request)?.response;
  if (response === undefined) {
    // The client has left.
    source.destroy();
    onEnd();
    return videoRefusal(503);
  }
  const mayContinue = async () => {
    if (endsWithAccess && !(await grant.hasAccess())) return false;
    return video === null || video.keepSlot();
  };
  return new Response(fileStream({ source, response, mayContinue, onEnd }), init);
}

function missing({ storageKey }: ServedFile): Response {
  log.error({ storageKey }, "a media file is missing or differs in length from its row");
  return emptyResponse(404);
}

type FileHeaders = ReturnType<typeof headersOf>;

function headersOf(grant: Grant, { contentType, hash, name }: ServedFile) {
  const { isTeaser, isImmutable, isDownload, savedAs = name } = grant;
  return {
    "Content-Type": contentType,
    "Accept-Ranges": "bytes",
    ETag: `"${hash}"`,
    ...PRIVATE_FILE_HEADERS,
    "Cache-Control": cacheControl(isTeaser, isImmutable),
    ...(isDownload ? { "Content-Disposition": attachment(savedAs) } : {}),
  };
}

function cacheControl(isTeaser: boolean, isImmutable = false): string {
  if (isImmutable) return "public, max-age=31536000, immutable, no-transform";
  return isTeaser ? "private, max-age=3600, no-transform" : PRIVATE_FILE_HEADERS["Cache-Control"];
}
