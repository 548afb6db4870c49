import { hasRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { VIEW_AS, type ViewAs } from "#app/paths.ts";

/** The one that `?as=` names; null for everybody but the staff. */
export function viewAsIn(viewer: Viewer, request: Request): ViewAs | null {
  if (!hasRight(viewer, "media.seeAll")) return null;
  const wanted = new URL(request.url).searchParams.get("as");
  return VIEW_AS.find((as) => as === wanted) ?? null;
}

/** The staff sees what a subscriber sees already. */
export function viewerAs(viewer: Viewer, as: ViewAs | null): Viewer {
  if (as === "visitor") return { isAdult: viewer.isAdult, user: null, subscription: null, session: null };
  if (as !== "member" || viewer.user === null) return viewer;
  return { ...viewer, user: { ...viewer.user, role: "member" }, subscription: null };
}
