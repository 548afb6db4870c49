import { paths } from "#app/paths.ts";

/** From the specification. */
const MAX_RETRIES = 10;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/**
 * Tells the server of a session event. Returns the seconds the session has now, null when it is over. Tries again,
 * ever more slowly and never in step with other browsers, while the server is away.
 */
export async function reportEvent(event: "TOKEN_REFRESHED", signal: AbortSignal): Promise<number | null> {
  for (let retry = 0; ; retry++) {
    const response = await post(event, signal);
    if (response?.ok)
      return ((await response.json()) as { session: { expires_in: number } }).session.expires_in;
    if (signal.aborted || response?.status === 401 || retry === MAX_RETRIES) return null;
    await pause(waitMs(retry, response), signal);
  }
}

function waitMs(retry: number, response: Response | null): number {
  const asked = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS);
  return (asked || 0) + backOff * (0.5 + Math.random() / 2);
}

async function post(event: string, signal: AbortSignal): Promise<Response | null> {
  try {
    return await fetch(paths.api.auth(), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ event, session: null }),
      signal,
    });
  } catch {
    return null;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
