import { useLocation } from "@remix-run/react";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Identifies one opening of the video. A chapter link opens it again; a link to a size does not. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}

/** Adds no step for Back, and bypasses the router, which would load the page's data again. */
export function forgetInAddress(name: "q" | "t"): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(name)) return;
  address.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", address);
  for (const onForgotten of listeners) onForgotten();
}

export function useAddressQuery(): string {
  const { search } = useLocation();
  return useSyncExternalStore(
    listen,
    () => window.location.search,
    () => search,
  );
}

export function withQuery(search: string, name: "q" | "t", value: number): string {
  const query = new URLSearchParams(search);
  query.set(name, String(value));
  return `?${query}`;
}

function listen(onForgotten: () => void): () => void {
  listeners.add(onForgotten);
  return () => void listeners.delete(onForgotten);
}
