import { count } from "#app/counts.ts";
import { paths } from "#app/paths.ts";
import { NO_ACCESS_STATUSES } from "#app/ui/parts/no-access.ts";
import { type Outcome, saveNewest } from "./save-newest.ts";

const SAVED_WITHIN_MS = 8_000;
const NOT_SAVED = "not saved. Try again.";

export function favoriteKey(mediaId: string, photo: number | undefined): string {
  return photo === undefined ? mediaId : `${mediaId} ${photo}`;
}

export function saveFavorite(
  mediaId: string,
  photo: number | undefined,
  isFavorited: boolean,
): Promise<Outcome> {
  return saveNewest(favoriteKey(mediaId, photo), isFavorited, (value) => send(mediaId, photo, value));
}

/** Returns the end of a sentence that says why it was not saved. */
async function send(
  mediaId: string,
  photo: number | undefined,
  isFavorited: boolean,
): Promise<string | null> {
  const fields = { mediaId, isFavorited: String(isFavorited) };
  try {
    const response = await fetch(paths.api.favorites(), {
      method: "POST",
      body: new URLSearchParams(photo === undefined ? fields : { ...fields, photo: String(photo) }),
      redirect: "manual",
      signal: AbortSignal.timeout(SAVED_WITHIN_MS),
    });
    return response.ok ? null : reasonOf(response);
  } catch {
    return NOT_SAVED;
  }
}

function reasonOf({ type, status, headers }: Response): string {
  if (type === "opaqueredirect" || status === 401) return "not saved. Sign in again.";
  if (NO_ACCESS_STATUSES.includes(status)) return "not saved, because you no longer have access to it.";
  const seconds = Number(headers.get("Retry-After"));
  if (status !== 429 || !(seconds > 0)) return NOT_SAVED;
  return `not saved, because there were too many tries in a short time. Try again in ${count(seconds, "second")}.`;
}
