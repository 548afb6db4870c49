import { RETRY_AFTER_SECONDS } from "#app/domain/health/database.server.ts";

const SENTENCES = {
  429: "You are already playing as many videos as you may at a time. Close one, then try again.",
  503: "The site is sending as many videos as it can. Please try again in a few seconds.",
};

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "Cache-Control": "private, no-store", "Content-Length": "0", ...headers },
  });
}

/** 429: the viewer has as many as may be; 503: this process. The player shows the sentence of a response with our header. */
export function refusedVideo(status: 429 | 503): Response {
  return new Response(SENTENCES[status], {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Video-Refusal": "yes",
      "Cache-Control": "private, no-store",
      "Retry-After": String(RETRY_AFTER_SECONDS),
    },
  });
}
