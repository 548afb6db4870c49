import { useLocation } from "@remix-run/react";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Identifies one opening of the video: a chapter link opens it anew, a quality link does not. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}

/** Changes the address without a step of Back, and without the router, which would load the page's data again. */
export function forgetInAddress(name: "q" | "t"): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(name)) return;
  address.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", address);
  for (const onForgotten of listeners) onForgotten();
}

/** The query of the page's address, without what was forgotten. */
export function useAddressQuery(): string {
  const { search } = useLocation();
  return useSyncExternalStore(
    listen,
    () => window.location.search,
    () => search,
  );
}

/** Keeps the other choices of the address. */
export function withQuery(search: string, name: "q" | "t", value: number): string {
  const query = new URLSearchParams(search);
  query.set(name, String(value));
  return `?${query}`;
}

function listen(onForgotten: () => void): () => void {
  listeners.add(onForgotten);
  return () => void listeners.delete(onForgotten);
}
