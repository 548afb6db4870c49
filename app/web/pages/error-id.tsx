import { createContext, useContext } from "react";

/** Set on the server only: error pages have no scripts, as a browser knows less of the error and cannot hydrate. */
export const ErrorIdContext = createContext<string | undefined>(undefined);

export function useErrorId(): string | undefined {
  return useContext(ErrorIdContext);
}
