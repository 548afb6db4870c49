import { createCookieSessionStorage } from "@remix-run/node";
import { createThemeSessionResolver } from "remix-themes";
import { signedCookie } from "../request/signed-cookie.server.ts";

const LIFETIME_SECONDS = 365 * 24 * 3600;

export const themeSession = createThemeSessionResolver(
  createCookieSessionStorage({ cookie: signedCookie("theme", LIFETIME_SECONDS) }),
);
