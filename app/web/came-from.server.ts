import { safeRedirect } from "./safe-redirect.ts";
import { signedCookie } from "./signed-cookie.server.ts";

const LIFETIME_SECONDS = 24 * 3600;

/** Where somebody was when they went to pay; the provider's page would not hand it back. */
const cameFromCookie = signedCookie("came-from", LIFETIME_SECONDS);

/** A Set-Cookie header for a path of this site; for null one that forgets. */
export function serializeCameFrom(path: string | null): Promise<string> {
  return path === null
    ? cameFromCookie.serialize("", { maxAge: 0 })
    : cameFromCookie.serialize(path.slice(0, 1000));
}

export async function readCameFrom(request: Request): Promise<string | null> {
  const path: unknown = await cameFromCookie.parse(request.headers.get("Cookie"));
  return safeRedirect(path, "") || null;
}
