import { type CookieOptions, createCookie } from "@remix-run/node";
import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { SESSION_LIFETIME_SECONDS } from "#app/domain/auth/sessions.server.ts";

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
  return typeof token === "string" ? hashSecret(token) : null;
}
