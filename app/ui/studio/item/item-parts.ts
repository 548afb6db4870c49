import { count } from "#app/counts.ts";
import type { ItemSummary } from "#app/domain/catalog/edit/item/item-summary.server.ts";
import { paths } from "#app/paths.ts";
import { ACCESS_SHORT } from "../media-labels.ts";
import type { Part } from "../parts-frame.tsx";

export interface PartFacts extends Omit<ItemSummary, "expireAt" | "publishAt" | "problems"> {
  /** "31 May 2026" */
  produced: string | null;
  expires: string | null;
}

/** The parts of an item, with what they hold. */
export function partsOf(item: PartFacts): Part[] {
  const { id, type, state } = item;
  const overview = { to: paths.studioItem(id), name: "Overview", holds: "" };
  if (state === "deleted") return [overview];
  const part = (path: string, name: string, holds: string) => ({
    to: paths.studioItemPart(id, path),
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
      : [part("photos", "Photos", photosText(item))]),
    part("files", "Files", filesText(item)),
  ];
}

function creditsText({ creators, tags }: PartFacts): string {
  return [creators === 0 ? "No credit" : count(creators, "creator"), count(tags, "tag")].join(", ");
}

function datesText({ produced, expires }: PartFacts): string {
  const text = produced === null ? "No production date" : `Produced ${produced}`;
  return expires === null ? text : `${text}, until ${expires}`;
}

function photosText({ photoCount, leftOut }: PartFacts): string {
  return [count(photoCount ?? 0, "photo"), ...(leftOut === 0 ? [] : [`${leftOut} left out`])].join(", ");
}

function filesText({ originals, ...item }: PartFacts): string {
  const encoding = encodingText(item);
  if (originals === 0) return encoding ?? "No originals";
  return [encoding, count(originals, "original")].filter(Boolean).join(", ");
}

function encodingText({ encoded, encodingResult }: Pick<PartFacts, "encoded" | "encodingResult">) {
  if (encoded !== null) return `Encoding ${encoded}% done`;
  return encodingResult && { failed: "Encoding failed", done: "Encoded" }[encodingResult];
}
