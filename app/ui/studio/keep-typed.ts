import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** A load for live updates would leave the page, and lose what is typed, once the sign-in is too old. */
export function keepTyped({
  formMethod,
  actionStatus,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  // What somebody else has saved is to be seen.
  if (actionStatus === 409) return true;
  const isOwn = formMethod !== undefined || currentUrl.href !== nextUrl.href;
  return isOwn && defaultShouldRevalidate;
}
