import { NO_ACCESS_STATUSES } from "#app/ui/parts/no-access.ts";
import type { Probe } from "./way-of-playing.ts";

const ANSWERS_WITHIN_MS = 8_000;
/** All sizes have these codecs: docs/media.md. */
const MADE_AS = 'video/mp4; codecs="avc1.640028, mp4a.40.2"';
const REFUSALS = [401, ...NO_ACCESS_STATUSES];

const CONNECTION_LOST = "The connection to the site was lost.";
export const REFUSED = "This page can no longer play the video. Reload the page to continue, or to see why.";
/** Rate limits answer without a sentence. */
const TOO_MANY = "Too many requests came from you or your network in a short time.";
const UNREACHABLE = "The site is not responding.";
const RESUMES = new Map([
  [CONNECTION_LOST, "The video resumes when it is back."],
  [UNREACHABLE, "The video resumes when it does."],
  [TOO_MANY, "The video resumes in a moment."],
]);
const UNPLAYABLE = "This browser cannot play this video.";

type Answer = { kind: "fine" } | { kind: "refused"; sentence: string } | { kind: "away"; sentence: string };

/** A video element only knows that its source failed; the site says why. */
export async function readSiteAnswer(
  player: HTMLVideoElement,
  { url, range, method = "GET" }: Probe,
  signal: AbortSignal,
): Promise<Answer> {
  const sources = [...player.querySelectorAll("source")];
  if ([MADE_AS, ...sources.map(({ type }) => type)].some((type) => player.canPlayType(type) === "")) {
    return { kind: "refused", sentence: UNPLAYABLE };
  }
  // Safari before 17.4 and Firefox before 124 lack AbortSignal.any.
  const request = new AbortController();
  const stop = () => request.abort();
  const timer = setTimeout(stop, ANSWERS_WITHIN_MS);
  signal.addEventListener("abort", stop);
  try {
    const response = await fetch(url, {
      method,
      headers: range === null ? {} : { Range: range },
      cache: "no-store",
      signal: request.signal,
    });
    // Without this header the text may be a proxy's page.
    if (response.headers.has("X-Video-Refusal")) {
      // With too many videos, the viewer must close one first; a busy site is retried.
      const kind = response.status === 429 ? "refused" : "away";
      return { kind, sentence: await response.text() };
    }
    void response.body?.cancel();
    if (response.ok) return { kind: "fine" };
    if (response.status === 429) return { kind: "away", sentence: TOO_MANY };
    return REFUSALS.includes(response.status)
      ? { kind: "refused", sentence: REFUSED }
      : { kind: "away", sentence: UNREACHABLE };
  } catch {
    return { kind: "away", sentence: CONNECTION_LOST };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

export function sentenceOf(sentence: string, isWanted: boolean): string {
  const resumes = isWanted ? RESUMES.get(sentence) : undefined;
  return resumes === undefined ? sentence : `${sentence} ${resumes}`;
}
