import { formatDays, formatZoneTime, toZoneTime } from "#app/dates.ts";
import { findItemFacts, type ItemFacts } from "#app/domain/catalog/edit/item/item-facts.server.ts";
import { type EditedItem, findEdited } from "#app/domain/catalog/edit/item/items.server.ts";
import { findProblems } from "#app/domain/catalog/edit/problems/problems.server.ts";
import { missingIn, problemText } from "#app/domain/catalog/edit/problems/problems.ts";
import { DRAFT_LINK_DAYS, listDraftLinks } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { STATE_WORDS } from "#app/domain/catalog/edit/states/media-states.ts";
import { previewTransition, transitionsFor } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { UUID } from "#app/domain/catalog/media/served-file.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

export async function findItemPage(actor: Actor, id: string) {
  const item = UUID.test(id) ? await findEdited(id) : null;
  const facts = item === null ? null : await findItemFacts(id);
  if (item === null || facts === null) return null;
  const { timeZone } = siteFacts;
  const isDraft = item.state === "draft";
  const [links, comeback, problems] = await Promise.all([
    isDraft ? listDraftLinks(id) : null,
    comebackOf(actor, item, timeZone),
    findProblems(id),
  ]);
  return {
    id,
    timeZone,
    action: paths.studioItemForm(id),
    isDeleted: item.state === "deleted",
    state: item.state,
    publication: {
      sentence: stateSentence(item, facts, timeZone),
      transitions: transitionsFor(item.state, actor),
      mayChange: mayDo(actor, "media.publish"),
      comeback,
      missing: problemText(missingIn(problems)),
      plan: item.publishAt === null || item.state !== "scheduled" ? "" : toZoneTime(item.publishAt, timeZone),
    },
    limits: ITEM_LIMITS,
    draftLinkLifetime: formatDays(DRAFT_LINK_DAYS),
    draftLinks: links?.map(({ id: link, createdAt, expiresAt, maker }) => ({
      id: link,
      maker,
      made: formatZoneTime(createdAt, timeZone),
      expires: formatZoneTime(expiresAt, timeZone),
    })),
  };
}

function stateSentence({ state, publishAt, expireAt }: EditedItem, facts: ItemFacts, zone: string): string {
  const at = (date: Date | null) => (date === null ? "" : formatZoneTime(date, zone));
  switch (state) {
    case "draft":
      return "Only staff and people with a draft link can see it.";
    case "scheduled":
      return `It will be published on ${at(publishAt)}. Until then, only staff can see it.`;
    case "published":
      if (facts.isExpired) return `It was public until ${at(expireAt)}. Now only staff can see it.`;
      return expireAt === null
        ? `Public since ${at(publishAt)}.`
        : `Public since ${at(publishAt)}, until ${at(expireAt)}.`;
    case "hidden":
      return "Visitors find nothing at its address.";
    case "takenDown":
      return `Taken down on ${at(facts.takenDownAt)}: ${facts.takenDownReason ?? "no reason given"}`;
    case "deleted":
      return `Deleted on ${at(facts.deletedAt)}. Its files are gone, and the same files cannot be imported again.`;
  }
}

/** What an item that is hidden or taken down would be. */
async function comebackOf(actor: Actor, { id, state, publishAt }: EditedItem, zone: string) {
  if (state !== "hidden" && state !== "takenDown") return "";
  const back = await previewTransition(actor, id, state === "hidden" ? "show" : "bringBack");
  if (!back.done) return "";
  if (back.missed) {
    return `It will be a draft, because the date it was scheduled for has passed: ${formatZoneTime(back.missed, zone)}.`;
  }
  const date = back.state === "scheduled" && publishAt ? ` for ${formatZoneTime(publishAt, zone)}` : "";
  return `It will be ${STATE_WORDS[back.state]} again${date}.`;
}
