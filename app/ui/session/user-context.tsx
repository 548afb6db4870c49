import { createContext, type ReactNode, useContext } from "react";
import type { StaffRight } from "#app/domain/staff/rights.ts";

export interface SessionUser {
  name: string;
  email: string;
  avatarUrl: string | null;
  initials: string;
  /** Only for what pages show; the server decides. */
  rights: readonly StaffRight[];
}

const UserContext = createContext<SessionUser | null | undefined>(undefined);

export function UserProvider({ user, children }: { user: SessionUser | null; children: ReactNode }) {
  return <UserContext.Provider value={user}>{children}</UserContext.Provider>;
}

/** Throws outside a UserProvider. */
export function useUser(): SessionUser | null {
  const user = useContext(UserContext);
  if (user === undefined) throw new Error("useUser() needs a <UserProvider> above it");
  return user;
}
