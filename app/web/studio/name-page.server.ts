import { CREATOR_LIMITS } from "#app/domain/catalog/edit/names/creator-sections.ts";
import { suggestNames } from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import { SLUG_LENGTH_LIMIT } from "#app/domain/catalog/lists/list-filters.ts";
import { findMergeTarget } from "#app/domain/catalog/media/former-slugs.server.ts";
import { findHistory } from "#app/domain/staff/list-audit.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

export async function findNamePage(
  member: Parameters<typeof findHistory>[0],
  kind: "creator" | "tag",
  id: string,
) {
  const [names, history] = await Promise.all([suggestNames(), findHistory(member, id, siteFacts.timeZone)]);
  const suggested = kind === "creator" ? names.creators : names.tags;
  const { timeZone, hasOutbox } = siteFacts;
  const limits = { ...CREATOR_LIMITS, typed: SLUG_LENGTH_LIMIT };
  return { ...history, suggested, limits, timeZone, hasOutbox };
}

/** An id that is gone leads to the name that it was merged into. */
export async function leadToTarget(kind: "creator" | "tag", id: string, pathOf: (id: string) => string) {
  const target = await findMergeTarget(kind, id);
  if (target === null) return new Response("Not Found", { status: 404 });
  return new Response(null, { status: 301, headers: { Location: pathOf(target) } });
}
