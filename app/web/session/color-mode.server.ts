import { createCookieSessionStorage } from "@remix-run/node";
import { createThemeSessionResolver } from "remix-themes";
import { cookieName, signedCookieOptions } from "../request/signed-cookie.server.ts";

const THEME_LIFETIME_SECONDS = 365 * 24 * 3600;

export const themeSession = createThemeSessionResolver(
  createCookieSessionStorage({
    cookie: { name: cookieName("theme"), ...signedCookieOptions("theme", THEME_LIFETIME_SECONDS) },
  }),
);
