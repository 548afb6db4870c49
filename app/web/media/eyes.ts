import { hasRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { EYES, type Eyes } from "#app/paths.ts";

/** The eyes that `?as=` borrows; null for everybody but the staff. */
export function eyesIn(viewer: Viewer, request: Request): Eyes | null {
  if (!hasRight(viewer, "media.seeAll")) return null;
  const wanted = new URL(request.url).searchParams.get("as");
  return EYES.find((eyes) => eyes === wanted) ?? null;
}

/** The staff sees what a subscriber sees already. */
export function viewerWith(viewer: Viewer, eyes: Eyes | null): Viewer {
  if (eyes === "visitor") return { isAdult: viewer.isAdult, user: null, subscription: null, session: null };
  if (eyes !== "member" || viewer.user === null) return viewer;
  return { ...viewer, user: { ...viewer.user, role: "member" }, subscription: null };
}
