import { savePlace } from "#app/domain/viewing/save-place.server.ts";
import { log } from "./log.server.ts";
import { isRealNavigation } from "./real-navigation.server.ts";

/**
 * Remembers the photo that a person opened without JavaScript. Returns whether it is remembered: otherwise the page's own
 * script says so once the photo is on the screen. The photo itself never waits for a database that cannot write.
 */
export async function recordPhoto(
  request: Request,
  place: { userId: string; mediaId: string; progress: number },
): Promise<boolean> {
  if (!isRealNavigation(request)) return false;
  try {
    return (await savePlace(place)) !== null;
  } catch (error) {
    log.warn({ requestId: request.headers.get("x-request-id"), err: error }, "photo not remembered");
    return false;
  }
}
