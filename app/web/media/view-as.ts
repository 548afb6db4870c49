import { hasRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { VIEW_AS, type ViewAs } from "#app/paths.ts";

export function viewAsIn(viewer: Viewer, request: Request): ViewAs | null {
  if (!hasRight(viewer, "media.seeAll")) return null;
  const wanted = new URL(request.url).searchParams.get("as");
  return VIEW_AS.find((as) => as === wanted) ?? null;
}

export function viewerAs(viewer: Viewer, as: ViewAs | null): Viewer {
  if (as === "visitor") return { isAdult: viewer.isAdult, user: null, subscription: null, session: null };
  // Staff already see what a subscriber sees.
  if (as !== "member" || viewer.user === null) return viewer;
  return { ...viewer, user: { ...viewer.user, role: "member" }, subscription: null };
}
