const MAX_TARGET_LENGTH = 2_048;

export function safeRedirect(target: unknown, fallback = "/"): string {
  if (typeof target !== "string" || !target.startsWith("/") || target.length > MAX_TARGET_LENGTH) {
    return fallback;
  }
  const base = "http://site.invalid";
  const url = URL.parse(target, base);
  if (url === null || url.origin !== base) return fallback;
  const path = url.pathname + url.search;
  return path.startsWith("//") ? fallback : path;
}
