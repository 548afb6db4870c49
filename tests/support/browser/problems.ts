import type { Page } from "@playwright/test";

/**
 * Remix prints one of these when a navigation ends a load, as of a page brought up to date, whose response has
 * begun; which one depends on how much of it the browser has read.
 */
const INTERRUPTED_LOAD = /^AbortError: (BodyStreamBuffer was aborted|signal is aborted without reason)/;

/** Records console errors and warnings, page errors, failed responses, and requests to other hosts. */
export function recordProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!INTERRUPTED_LOAD.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.hostname !== "localhost") problems.push(request.url());
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}
