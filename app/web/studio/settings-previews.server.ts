import { formatZoneTime } from "#app/dates.ts";
import { findNextRelease } from "#app/domain/catalog/edit/releases/due-releases.server.ts";
import {
  DEFAULT_PAGES,
  fillIn,
  readHostPage,
  readOwnPage,
  type SitePageName,
} from "../pages/site-page.server.ts";

const PAGES = Object.keys(DEFAULT_PAGES) as SitePageName[];
const CONTACT = "{{contactEmail}}";
const BLOCK_END = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)/;
const BLOCK_MARK = /^\s*(?:[-*+>]|#+|\d+\.)\s+/;
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu})/u;

/** The sentences that name the contact address, as Markdown. */
export async function previewContact(contactEmail: string) {
  const texts = await Promise.all(
    PAGES.map(async (page) => {
      const text = (await readHostPage(page)) ?? readOwnPage(page);
      const sentences = text.split(BLOCK_END).flatMap((block) =>
        block
          .replace(BLOCK_MARK, "")
          .split(SENTENCE_END)
          .filter((sentence) => sentence.includes(CONTACT)),
      );
      return { page, text: fillIn(sentences.join("\n\n"), { contactEmail }) };
    }),
  );
  return { contactEmail, pages: texts.filter(({ text }) => text !== "") };
}

/** `present`: the saved zone. */
export async function previewZone(zone: string, present: string) {
  const { now, release } = await findNextRelease();
  return {
    now: formatZoneTime(now, zone),
    release: release && {
      title: release.title,
      at: formatZoneTime(release.publishAt, zone),
      atPresent: formatZoneTime(release.publishAt, present),
    },
  };
}
