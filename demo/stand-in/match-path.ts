/** Finds the route of a path, in which ":id" is any one part. */
export function matchPath<R extends { method: string; path: string }>(
  routes: R[],
  method: string,
  path: string,
): { route: R; id: string } | null {
  const parts = path.split("/");
  for (const route of routes) {
    const wanted = route.path.split("/");
    if (route.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part === ":id" || part === parts[index])) continue;
    return { route, id: parts[wanted.indexOf(":id")] ?? "" };
  }
  return null;
}
