import { LIMITS } from "#app/domain/auth/rate-limits.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "../request/retry-after.ts";
import type { VideoRefusal } from "../server/sent-videos.server.ts";

const SENTENCES = {
  429: "You are already playing or downloading as many videos as you can at once. Close one, then try again.",
  503: "The site is sending as many videos as it can. Please try again in a few seconds.",
};
const ARCHIVE_SENTENCES = {
  ...downloadSentences("set"),
  412: "This set has changed since your download began. Delete the part you have, then download it again.",
  429: "You are already downloading a set. Try again when it has finished.",
  503: "The site is sending as much as it can. Please try again in a few seconds.",
};

export type Download = "photo" | "video" | "set";

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "Cache-Control": "private, no-store", "Content-Length": "0", ...headers },
  });
}

/** The player shows the text of a response with this header. */
export function videoRefusal(status: VideoRefusal["status"]): Response {
  return refusal(status, SENTENCES[status], { "X-Video-Refusal": "yes" });
}

export function archiveRefusal(status: keyof typeof ARCHIVE_SENTENCES): Response {
  return refusal(status, ARCHIVE_SENTENCES[status]);
}

export function downloadRefusal(download: Download, status: 403 | 404 | 410): Response {
  return refusal(status, downloadSentences(download)[status]);
}

export function downloadFromAnotherSite(download: Download): Response {
  return refusal(
    403,
    `Another site started this download. Open the page of the ${download} and start it there.`,
  );
}

export function overRangeLimit(): Response {
  const sentence =
    "You have requested many parts of files in a short time. Please try again in a few seconds.";
  return refusal(429, sentence, retryAfter(LIMITS.rangesByViewer.seconds));
}

export function withoutSentence({ status, headers }: Response): Response {
  const seconds = headers.get("Retry-After");
  return emptyResponse(status, seconds === null ? {} : { "Retry-After": seconds });
}

function downloadSentences(download: Download) {
  return {
    403: `You cannot download this ${download} right now. Your subscription may have ended, or the site may no longer offer the download.`,
    404: `This ${download} is no longer here.`,
    410: `This ${download} was taken down.`,
  };
}

function refusal(status: number, sentence: string, headers: Record<string, string> = {}): Response {
  return new Response(sentence, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      ...(status === 429 || status === 503 ? retryAfter(RETRY_AFTER_SECONDS.busy) : {}),
      ...headers,
      "Cache-Control": "private, no-store",
    },
  });
}
