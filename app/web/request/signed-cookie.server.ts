import { type Cookie, type CookieOptions, createCookie } from "@remix-run/node";
import { config } from "#app/config.server.ts";
import { textKeysFor } from "#app/domain/keys/keys.server.ts";

/** "__Host-" pins a cookie to this host over https; browsers refuse the prefix on plain http. */
export function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}

/** For a cookie that scripts cannot read and nobody else can write; `maxAge` in seconds. */
export function signedCookieOptions(name: string, maxAge: number): CookieOptions & { secrets: string[] } {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: config.web.isSecure,
    secrets: textKeysFor(`cookie:${name}`),
    maxAge,
  };
}

export function signedCookie(name: string, maxAge: number): Cookie {
  return createCookie(cookieName(name), signedCookieOptions(name, maxAge));
}
