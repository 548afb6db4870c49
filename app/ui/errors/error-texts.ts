import { waitText } from "#app/counts.ts";
import { paths } from "#app/paths.ts";

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
    sentence: "We could not read the form. Open the page again and fill it in once more.",
    next: HOME,
  },
  403: {
    title: "Not allowed",
    sentence: "You cannot do this from here. Open the page itself and try again.",
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
    sentence: "The text or file you sent is too large. Please try again with less text or a smaller file.",
    next: HOME,
  },
  421: {
    title: "Not at this address",
    sentence:
      "This site has another address. Check the one in your browser. A demo answers only to localhost and to IP addresses. If the site is yours, set APP_URL to this address, or let the proxy in front of it pass on the host name.",
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
    sentence: "Part of this site is not available right now. Please try again in a minute.",
    next: HOME,
  },
};

interface RefusedWait {
  waitSeconds?: number | undefined;
  /** The limit counts by connection. */
  isShared?: boolean;
}

export function errorText(status: number, { waitSeconds, isShared = false }: RefusedWait = {}): ErrorText {
  const text = TEXTS[status] ?? REQUEST_FAILED;
  if (status !== 429 || waitSeconds === undefined) return text;
  const whose = isShared
    ? "from your connection in a short time. You may share it with others, at home, at work or on a mobile network"
    : "in a short time";
  return {
    ...text,
    sentence: `There were too many tries ${whose}. Please wait ${waitText(waitSeconds)}, then try again.`,
  };
}
