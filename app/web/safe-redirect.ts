/** The path and query of `target` when it stays on this site, else `fallback`. */
export function safeRedirect(target: unknown, fallback = "/"): string {
  if (typeof target !== "string" || !target.startsWith("/")) return fallback;
  const base = "http://site.invalid";
  const url = URL.parse?.(target, base) ?? tryParse(target, base);
  if (url === null || url.origin !== base) return fallback;
  const path = url.pathname + url.search;
  return path.startsWith("//") ? fallback : path;
}

function tryParse(target: string, base: string): URL | null {
  try {
    return new URL(target, base);
  } catch {
    return null;
  }
}
