import { type Cookie, createCookie } from "@remix-run/node";
import { config } from "#app/config.server.ts";
import { textKeysFor } from "#app/domain/keys/keys.server.ts";

/** "__Host-" pins a cookie to this host. Browsers refuse it on plain http. */
function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}

/** `maxAge` in seconds. */
export function signedCookie(name: string, maxAge: number): Cookie {
  return createCookie(cookieName(name), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: config.web.isSecure,
    secrets: textKeysFor(`cookie:${name}`),
    maxAge,
  });
}
