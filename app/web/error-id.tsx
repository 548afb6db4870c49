import { createContext, useContext } from "react";

/**
 * The request's id where the answer is an error, to be shown and to find it in the log by. Filled on the server only. Such a
 * page comes without scripts: what a browser gets to know of an error is less than the server, so it could not draw the same.
 */
export const ErrorIdContext = createContext<string | undefined>(undefined);

export function useErrorId(): string | undefined {
  return useContext(ErrorIdContext);
}
