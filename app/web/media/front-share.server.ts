import { frontCallOf } from "../server/front-requests.server.ts";
import { visitorClass } from "../server/visitor-class.server.ts";

/** nginx gives a file to every visitor with a proof of age for this long. */
const KEPT_SECONDS = 5;
/** nginx keeps the files in memory. */
const MAX_BYTES = 48 * 1024;

/** A visitor whom no file is decided for in person. The decision has to be a new one, because nginx repeats it. */
export async function mayShareFile(request: Request): Promise<boolean> {
  return frontCallOf(request) === "visit" && (await visitorClass(request)) !== null;
}

/** Marks a whole file that nginx may give to others, too. */
export function shareFile(response: Response): Response {
  const bytes = Number(response.headers.get("Content-Length") ?? Number.NaN);
  const isWhole = response.status === 200 && bytes <= MAX_BYTES && !response.headers.has("X-Accel-Redirect");
  if (isWhole) response.headers.set("X-Accel-Expires", String(KEPT_SECONDS));
  return response;
}
