import { createCookieSessionStorage } from "@remix-run/node";
import { createThemeSessionResolver } from "remix-themes";
import { config } from "#app/config.server.ts";
import { cookieName } from "./session-cookie.server.ts";

const THEME_LIFETIME_SECONDS = 365 * 24 * 3600;

export const themeSession = createThemeSessionResolver(
  createCookieSessionStorage({
    cookie: {
      name: cookieName("theme"),
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: config.web.isSecure,
      secrets: [config.session.secret],
      maxAge: THEME_LIFETIME_SECONDS,
    },
  }),
);
