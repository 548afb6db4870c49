import type { SessionUser } from "./user-context.tsx";

export type SessionChange = "SIGNED_IN" | "SIGNED_OUT" | "USER_UPDATED";

type Shown = Pick<SessionUser, "email" | "name" | "avatarUrl"> | null;

/** The session change between two renders; null when a page can see none. */
export function sessionChange(before: Shown, after: Shown): SessionChange | null {
  if (after === null) return before === null ? null : "SIGNED_OUT";
  if (before?.email !== after.email) return "SIGNED_IN";
  const isSame = before.name === after.name && before.avatarUrl === after.avatarUrl;
  return isSame ? null : "USER_UPDATED";
}
