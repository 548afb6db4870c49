import { createHash } from "node:crypto";
import { type CookieOptions, createCookie } from "@remix-run/node";
import { config } from "#app/config.server.ts";

/** From the specification. */
export const SESSION_LIFETIME_SECONDS = 28_800;

const attributes: CookieOptions = {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: config.web.isSecure,
  secrets: [config.session.secret],
};

/** "__Host-" pins a cookie to this host over https; browsers refuse the prefix on plain http. */
export function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}

export const sessionCookie = createCookie(cookieName("session"), {
  ...attributes,
  maxAge: SESSION_LIFETIME_SECONDS,
});

/** The cookie holds 256 random bits; the table holds only their hash. */
export async function readSessionTokenHash(request: Request): Promise<string | null> {
  const token: unknown = await sessionCookie.parse(request.headers.get("Cookie"));
  return typeof token === "string" ? hashToken(token) : null;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
