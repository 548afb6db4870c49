import { count } from "#app/counts.ts";
import { formatZoneDate, formatZoneTime, startOfZoneDay } from "#app/dates.ts";
import { findItemSummary, type ItemSummary } from "#app/domain/catalog/edit/item/item-summary.server.ts";
import { PROBLEM_SENTENCES, type Problem } from "#app/domain/catalog/edit/problems/problems.ts";
import { coverView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { ACCESS_SHORT } from "#app/ui/studio/media-labels.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

/** Where each problem is solved. */
export const SOLVED_AT: Record<Problem, (id: string) => string> = {
  noCredit: (id) => paths.studioItemPart(id, "credits"),
  noCover: (id) => paths.studioItemPart(id, "cover"),
  noProductionDate: (id) => paths.studioItemPart(id, "dates"),
  missingCaptions: (id) => paths.studioItemPart(id, "captions"),
  publishFailed: (id) => `${paths.studioItem(id)}#publication`,
  encodingFailed: (id) => `${paths.studioItem(id)}#encoding`,
};

/** What stands around each part of an item: its state, what is missing, and the parts with what they hold. */
export async function findItemFrame(id: string) {
  const item = await findItemSummary(id);
  if (item === null) return null;
  const { type, slug, title, state, isExpired, durationSeconds, photoCount, nextDraft } = item;
  return {
    ...{ id, type, slug, title, state, isExpired, durationSeconds, photoCount, nextDraft },
    cover: item.coverVersion !== null && state !== "takenDown" ? coverView(item) : null,
    problems: item.problems.map((problem) => ({
      to: SOLVED_AT[problem](id),
      sentence: [PROBLEM_SENTENCES[problem], problem === "publishFailed" ? item.publishProblem : null]
        .filter(Boolean)
        .join(" "),
    })),
    parts: partsOf(item),
  };
}

interface Part {
  to: string;
  name: string;
  holds: string;
}

function partsOf(item: ItemSummary): Part[] {
  const { id, type, state } = item;
  const overview = { to: paths.studioItem(id), name: "Overview", holds: "" };
  if (state === "deleted") return [overview];
  const part = (path: string, name: string, holds: string) => ({
    to: paths.studioItemPart(id, path),
    name,
    holds,
  });
  const section = (anchor: string, name: string, holds: string) => ({
    to: `${paths.studioItem(id)}#${anchor}`,
    name,
    holds,
  });
  return [
    overview,
    part("text", "Text", item.hasDescription ? "" : "No description"),
    part("credits", "Credits and tags", creditsText(item)),
    part("dates", "Dates", datesText(item)),
    part("access", "Access", ACCESS_SHORT[item.access] + (item.allowDownload ? ", download" : "")),
    part("cover", "Cover", item.coverVersion === null ? "No cover" : ""),
    ...(type === "video"
      ? [
          part("captions", "Captions", item.captions === 0 ? "None" : count(item.captions, "language")),
          part("chapters", "Chapters", item.chapters === 0 ? "None" : String(item.chapters)),
          part("trailer", "Trailer", item.hasTrailer ? "" : "None"),
        ]
      : [section("photos", "Photos", photosText(item))]),
    section(type === "video" ? "encoding" : "originals", "Files", filesText(item)),
  ];
}

function creditsText({ creators, tags }: ItemSummary): string {
  return [creators === 0 ? "No credit" : count(creators, "creator"), count(tags, "tag")].join(", ");
}

function datesText({ producedOn, expireAt }: ItemSummary): string {
  const produced =
    producedOn === null
      ? "No production date"
      : `Produced ${formatZoneDate(startOfZoneDay(producedOn, "UTC"), "UTC")}`;
  return expireAt === null ? produced : `${produced}, until ${formatZoneTime(expireAt, siteFacts.timeZone)}`;
}

function photosText({ photoCount, leftOut }: ItemSummary): string {
  return [count(photoCount ?? 0, "photo"), ...(leftOut === 0 ? [] : [`${leftOut} left out`])].join(", ");
}

function filesText({ encoded, originals }: ItemSummary): string {
  return encoded === null ? count(originals, "original") : `Encoding, ${encoded} %`;
}
