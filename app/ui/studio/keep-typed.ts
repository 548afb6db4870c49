import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** A load for live updates would leave the page, and lose what is typed, once the sign-in is too old. */
export function keepTyped({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isOwn = formMethod !== undefined || currentUrl.href !== nextUrl.href;
  return isOwn && defaultShouldRevalidate;
}
