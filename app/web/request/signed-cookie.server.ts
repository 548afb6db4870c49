import { type Cookie, createCookie, createCookieSessionStorage } from "@remix-run/node";
import { createThemeSessionResolver } from "remix-themes";
import { config } from "#app/config.server.ts";
import { textKeysFor } from "#app/domain/keys/keys.server.ts";

const THEME_LIFETIME_SECONDS = 365 * 24 * 3600;

/** "__Host-" pins a cookie to this host over https; browsers refuse the prefix on plain http. */
export function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}

/** A cookie that scripts cannot read and nobody else can write; `maxAge` in seconds. */
export function signedCookie(name: string, maxAge: number): Cookie {
  return createCookie(cookieName(name), optionsOf(name, maxAge));
}

/** Holds light or dark, in the form that remix-themes reads. */
export const themeSession = createThemeSessionResolver(
  createCookieSessionStorage({ cookie: signedCookie("theme", THEME_LIFETIME_SECONDS) }),
);

function optionsOf(name: string, maxAge: number) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "lax" as const,
    secure: config.web.isSecure,
    secrets: textKeysFor(`cookie:${name}`),
    maxAge,
  };
}
