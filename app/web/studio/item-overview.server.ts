import { formatDays, formatZoneTime, toZoneTime } from "#app/dates.ts";
import { listPlans } from "#app/domain/billing/offers/plans.server.ts";
import { missingIn, problemText } from "#app/domain/catalog/edit/problems/problems.ts";
import { DRAFT_LINK_DAYS } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { findItemOverview } from "#app/domain/catalog/edit/states/item-overview.server.ts";
import { STATE_WORDS } from "#app/domain/catalog/edit/states/media-states.ts";
import { transitionsFor } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { mayDo } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { actorOf, type Member } from "../session/guards.server.ts";

type Overview = NonNullable<Awaited<ReturnType<typeof findItemOverview>>>;

/** The state of an item, and what has happened to it. */
export async function findOverviewPage(member: Member, id: string) {
  const actor = actorOf(member);
  const item = await findItemOverview(actor, id);
  if (item === null) return null;
  const { timeZone } = siteFacts;
  const { state, publishAt, problems, links, history } = item;
  const nobodyYet = (await needsPlan(item)) ? NO_PLAN : "";
  const action = paths.studioItemForm(id);
  return {
    publication: {
      action,
      sentence: stateSentence(item) + nobodyYet,
      transitions: transitionsFor(state, actor),
      mayChange: mayDo(actor, "media.publish"),
      comeback: comebackOf(item),
      missing: problemText(missingIn(problems)),
      plan: state === "scheduled" && publishAt !== null ? toZoneTime(publishAt, timeZone) : null,
      timeZone,
      limits: { reason: ITEM_LIMITS.reason },
    },
    draftLinks:
      state === "draft"
        ? {
            action,
            lifetime: formatDays(DRAFT_LINK_DAYS),
            links: links.map(({ createdAt, expiresAt, ...link }) => ({
              ...link,
              made: at(createdAt),
              expires: at(expiresAt),
            })),
          }
        : null,
    history,
    allEntries: mayDo(actor, "site") ? paths.studioAudit({ subject: id }) : null,
  };
}

const NO_PLAN = " It is for subscribers, and nobody can subscribe yet, because the site offers no plan.";

async function needsPlan({ state, access }: Overview): Promise<boolean> {
  const isForVisitors = state === "draft" || state === "scheduled" || state === "published";
  return isForVisitors && access === "subscriber" && (await listPlans()).length === 0;
}

function stateSentence({ state, ...item }: Overview): string {
  const [published, expires] = [at(item.publishAt), at(item.expireAt)];
  switch (state) {
    case "draft":
      return "Only staff and people with a draft link can see it.";
    case "scheduled":
      return `It will be published on ${published}. Until then, only staff can see it.`;
    case "published":
      if (item.isExpired) return `It was public until ${expires}. Now only staff can see it.`;
      return `Public since ${published}${expires && `, until ${expires}`}.`;
    case "hidden":
      return "Visitors get a “Not found” page at its address.";
    case "takenDown":
      return `Taken down on ${at(item.takenDownAt)}: ${item.takenDownReason ?? "no reason given"}`;
    case "deleted":
      return `Deleted on ${at(item.deletedAt)}. Its files are gone, and the same files cannot be imported again.`;
  }
}

/** What the button for an item that is hidden or taken down does. */
function comebackOf({ back, publishAt }: Overview): string {
  if (!back?.done) return "";
  if (back.missed) {
    return `Bring it back: it will be a draft, because its scheduled date has passed: ${at(back.missed)}.`;
  }
  const date = back.state === "scheduled" && publishAt ? ` for ${at(publishAt)}` : "";
  return `Bring it back: it will be ${STATE_WORDS[back.state]} again${date}.`;
}

function at(date: Date | null): string {
  return date === null ? "" : formatZoneTime(date, siteFacts.timeZone);
}
