import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/back-off.ts";
import type { SessionChange } from "./session-change.ts";

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

/** Tells the server of what a page found changed. Not again when that fails: late, it could end a newer session. */
export async function reportChange(change: SessionChange, signal: AbortSignal): Promise<void> {
  await post(change, signal);
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
