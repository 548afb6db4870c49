import { createContext, useContext } from "react";

interface RenderValues {
  /** A nonce that a script could read would be no secret. */
  nonce?: string;
  /** Error pages have no scripts, as a browser knows less of the error and cannot hydrate. */
  errorId?: string | undefined;
}

/** Set on the server only. */
export const RenderContext = createContext<RenderValues>({});

export function useNonce(): string | undefined {
  return useContext(RenderContext).nonce;
}

export function useErrorId(): string | undefined {
  return useContext(RenderContext).errorId;
}
