import { safeRedirect } from "../request/safe-redirect.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

const LIFETIME_SECONDS = 24 * 3600;

/** The path that a visitor left to pay; the provider's page would not return it. */
const cameFromCookie = signedCookie("came-from", LIFETIME_SECONDS);

export function serializeCameFrom(path: string | null): Promise<string> {
  return path === null
    ? cameFromCookie.serialize("", { maxAge: 0 })
    : cameFromCookie.serialize(path.slice(0, 1000));
}

export async function readCameFrom(request: Request): Promise<string | null> {
  const path: unknown = await cameFromCookie.parse(request.headers.get("Cookie"));
  return safeRedirect(path, "") || null;
}
