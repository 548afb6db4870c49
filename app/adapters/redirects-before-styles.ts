// Needed because Remix holds no promise of a loader while the styles of its page load: decision 171.

/** A redirect in that time would be reported as an uncaught `Response`, though the router follows it. */
export function expectRedirectsBeforeStyles(): void {
  addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof Response) event.preventDefault();
  });
}
