import { useLocation } from "@remix-run/react";

/** Which opening of the film the page belongs to: another quality, unlike a chapter, does not open it anew. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}
