import { type Cookie, type CookieOptions, createCookie } from "@remix-run/node";
import { config } from "#app/config.server.ts";

/** "__Host-" pins a cookie to this host over https; browsers refuse the prefix on plain http. */
export function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}

/** Of a cookie that no script reads and nobody else can write; `maxAge` in seconds. */
export function signedCookieOptions(maxAge: number): CookieOptions & { secrets: string[] } {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: config.web.isSecure,
    secrets: [config.session.secret],
    maxAge,
  };
}

/** `maxAge`: in seconds. */
export function signedCookie(name: string, maxAge: number): Cookie {
  return createCookie(cookieName(name), signedCookieOptions(maxAge));
}
