/**
 * Needed because Remix holds no promise of a loader while the styles of its page load: one that redirects in that time
 * is reported as an uncaught `Response`, though the router follows it (`prefetchStylesAndCallHandler`).
 */
export function expectRedirectsBeforeStyles(): void {
  addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof Response) event.preventDefault();
  });
}
