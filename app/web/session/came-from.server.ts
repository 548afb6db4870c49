import { safeRedirect } from "../request/safe-redirect.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

const LIFETIME_SECONDS = 24 * 3600;
/** Browsers drop a cookie of more than 4 KB. */
const MAX_LENGTH = 1_000;

/** The page that led to the payment. The provider does not return it. */
const cameFromCookie = signedCookie("came-from", LIFETIME_SECONDS);

export function serializeCameFrom(path: string | null): Promise<string> {
  return path === null
    ? cameFromCookie.serialize("", { maxAge: 0 })
    : cameFromCookie.serialize(path.slice(0, MAX_LENGTH));
}

export async function readCameFrom(request: Request): Promise<string | null> {
  const path: unknown = await cameFromCookie.parse(request.headers.get("Cookie"));
  const safe = safeRedirect(path, "");
  return safe === "" ? null : safe;
}
