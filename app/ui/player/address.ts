import { useLocation } from "@remix-run/react";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Changes the address without a step of Back, and without the router, which would load the page's data again. */
export function forgetInAddress(name: "q" | "t"): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(name)) return;
  address.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", address);
  for (const onForgotten of listeners) onForgotten();
}

/** The query of the page's address, without what was forgotten. */
export function useQuery(): string {
  const { search } = useLocation();
  return useSyncExternalStore(
    listen,
    () => window.location.search,
    () => search,
  );
}

function listen(onForgotten: () => void): () => void {
  listeners.add(onForgotten);
  return () => void listeners.delete(onForgotten);
}
