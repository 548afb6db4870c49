import { createContext, useContext } from "react";

interface RenderValues {
  /** A nonce that a script could read would be no secret. */
  nonce?: string;
  /** Error pages have no scripts: a browser knows less about the error and could not hydrate. */
  errorId?: string | undefined;
}

export const RenderContext = createContext<RenderValues>({});

export function useNonce(): string | undefined {
  return useContext(RenderContext).nonce;
}

export function useErrorId(): string | undefined {
  return useContext(RenderContext).errorId;
}
