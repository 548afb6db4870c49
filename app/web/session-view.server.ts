import type { Member } from "./guards.server.ts";

/** What the browser may know of its session: never the id. */
export function sessionView({ user, session }: Member, expiresIn = session.expiresIn) {
  const seconds = Math.floor(expiresIn);
  return {
    expires_in: seconds,
    expires_at: Math.floor(Date.now() / 1000) + seconds,
    token_type: "cookie" as const,
    user: userView(user),
  };
}

export function userView({ id, email, fullName, avatarUrl }: Member["user"]) {
  return { id, email, full_name: fullName, avatar_url: avatarUrl };
}
