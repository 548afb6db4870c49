import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/parts/retry-delay.ts";
import type { SessionUser } from "./user-context.tsx";

export type SessionChange = "SIGNED_IN" | "SIGNED_OUT" | "USER_UPDATED";

type Shown = Pick<SessionUser, "email" | "name" | "avatarUrl"> | null;

export function sessionChange(before: Shown, after: Shown): SessionChange | null {
  if (after === null) return before === null ? null : "SIGNED_OUT";
  if (before?.email !== after.email) return "SIGNED_IN";
  const isSame = before.name === after.name && before.avatarUrl === after.avatarUrl;
  return isSame ? null : "USER_UPDATED";
}

type Unrefreshed = "over" | "unreachable" | "aborted";

/** Returns the session's remaining seconds. */
export async function reportEvent(
  event: "TOKEN_REFRESHED",
  signal: AbortSignal,
): Promise<number | Unrefreshed> {
  for (let retry = 0; ; retry++) {
    const response = await post(event, signal);
    if (response?.ok)
      return ((await response.json()) as { session: { expires_in: number } }).session.expires_in;
    if (signal.aborted) return "aborted";
    if (response?.status === 401) return "over";
    if (retry === MAX_RETRIES) return "unreachable";
    await pause(waitMs(retry, response), signal);
  }
}

/** No retry: a late report could end a newer session. */
export async function reportChange(change: SessionChange, signal: AbortSignal): Promise<void> {
  const response = await post(change, signal);
  // Chromium keeps a no-store response open until its body is read.
  await response?.arrayBuffer().catch(() => {});
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
