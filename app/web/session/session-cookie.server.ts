import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { revokeSessionByToken, SESSION_LIFETIME_SECONDS } from "#app/domain/auth/sessions.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

export const sessionCookie = signedCookie("session", SESSION_LIFETIME_SECONDS);

export async function readSessionTokenHash(request: Request): Promise<string | null> {
  const token: unknown = await sessionCookie.parse(request.headers.get("Cookie"));
  return typeof token === "string" ? hashSecret(token) : null;
}

export async function endSession(request: Request): Promise<string> {
  const tokenHash = await readSessionTokenHash(request);
  if (tokenHash !== null) await revokeSessionByToken(tokenHash);
  return sessionCookie.serialize("", { maxAge: 0 });
}
