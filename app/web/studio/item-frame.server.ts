import { formatZoneDate, formatZoneTime, startOfZoneDay } from "#app/dates.ts";
import { findItemSummary } from "#app/domain/catalog/edit/item/item-summary.server.ts";
import { PROBLEM_SENTENCES, type Problem } from "#app/domain/catalog/edit/problems/problems.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { coverView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

/** Where each problem is solved. */
export const SOLVED_AT: Record<Problem, (id: string) => string> = {
  noCredit: (id) => paths.studioItemPart(id, "credits"),
  noCover: (id) => paths.studioItemPart(id, "cover"),
  noProductionDate: (id) => paths.studioItemPart(id, "dates"),
  missingCaptions: (id) => paths.studioItemPart(id, "captions"),
  publishFailed: (id) => `${paths.studioItem(id)}#publication`,
  encodingFailed: (id) => paths.studioItemPart(id, "files"),
};

/** What stands around each part of an item: its state, what is missing, and the parts with what they hold. */
export async function findItemFrame(id: string) {
  const item = await findItemSummary(id);
  if (item === null) return null;
  const { producedOn, expireAt } = item;
  return {
    ...item,
    produced: producedOn && formatZoneDate(startOfZoneDay(producedOn, "UTC"), "UTC"),
    expires: expireAt && formatZoneTime(expireAt, siteFacts.timeZone),
    cover: item.coverVersion !== null && showsFiles(item) ? coverView(item) : null,
    problems: item.problems.map((problem) => ({
      to: SOLVED_AT[problem](id),
      sentence: [PROBLEM_SENTENCES[problem], problem === "publishFailed" ? item.publishProblem : null]
        .filter(Boolean)
        .join(" "),
    })),
  };
}
