import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** Not for news from elsewhere: once the sign-in is too old, the load would lead away from what is typed. */
export function keepTyped({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isOwn = formMethod !== undefined || currentUrl.href !== nextUrl.href;
  return isOwn && defaultShouldRevalidate;
}
