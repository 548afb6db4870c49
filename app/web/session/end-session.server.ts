import { revokeSessionByToken } from "#app/domain/auth/sessions.server.ts";
import { readSessionTokenHash, sessionCookie } from "./session-cookie.server.ts";

export async function endSession(request: Request): Promise<string> {
  const tokenHash = await readSessionTokenHash(request);
  if (tokenHash !== null) await revokeSessionByToken(tokenHash);
  return sessionCookie.serialize("", { maxAge: 0 });
}
