import { createContext, useContext } from "react";

/** Set on the server only: a nonce that a script could read would be no secret. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
