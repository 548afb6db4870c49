import { paths } from "#app/paths.ts";
import { waitText } from "#app/wait-text.ts";

export interface ErrorText {
  title: string;
  sentence: string;
  next: { label: string; to: string };
}

const HOME = { label: "Go to the front page", to: paths.home() };

/** The fallback text, from the specification. */
const REQUEST_FAILED: ErrorText = {
  title: "Request Failed",
  sentence: "Something went wrong on our side. Nothing you have saved is lost. Please try again in a minute.",
  next: HOME,
};

const TEXTS: Record<number, ErrorText> = {
  400: {
    title: "Not understood",
    sentence: "This page could not read the form. Open the page again and fill it in once more.",
    next: HOME,
  },
  403: {
    title: "Not allowed",
    sentence: "This cannot be done from here. Open the page itself and try again.",
    next: HOME,
  },
  404: {
    title: "Page not found",
    sentence: "There is no page at this address. It may have moved, or the link may be incomplete.",
    next: { label: "Browse the videos", to: paths.list("video") },
  },
  410: {
    title: "No longer here",
    sentence: "This has been taken down.",
    next: { label: "See what is new", to: paths.list("video") },
  },
  413: {
    title: "Too large",
    sentence:
      "The text or file that you sent is too large. Please try again with less text or a smaller file.",
    next: HOME,
  },
  421: {
    title: "Not at this address",
    sentence:
      "This site is known by another address: check the one in your browser. A demo answers to localhost and to IP addresses only. If the site is yours, set APP_URL to this address, or let the proxy in front pass the host name on.",
    next: HOME,
  },
  422: {
    title: "Not accepted",
    sentence: "Something in the form is missing or wrong. Go back, correct it and send it again.",
    next: HOME,
  },
  429: {
    title: "Too many tries",
    sentence: "There were too many tries in a short time. Please wait a few minutes, then try again.",
    next: HOME,
  },
  503: {
    title: "Back in a moment",
    sentence: "A part of this site is not available at the moment. Please try again in a minute.",
    next: HOME,
  },
};

interface RefusedWait {
  /** From the `{ retryAfterSeconds }` of a 429. */
  waitSeconds?: number | undefined;
  /** The limit counts a connection. */
  isShared?: boolean;
}

export function errorText(status: number, { waitSeconds, isShared = false }: RefusedWait = {}): ErrorText {
  const text = TEXTS[status] ?? REQUEST_FAILED;
  if (status !== 429 || waitSeconds === undefined) return text;
  const whose = isShared
    ? "from your connection in a short time, which you may share with others: at home, at work or in a mobile network"
    : "in a short time";
  return {
    ...text,
    sentence: `There were too many tries ${whose}. Please wait ${waitText(waitSeconds)}, then try again.`,
  };
}
