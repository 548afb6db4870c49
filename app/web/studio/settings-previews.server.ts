import { asciiAddress } from "#app/config/mail-addresses.ts";
import { config } from "#app/config.server.ts";
import { formatZoneTime } from "#app/dates.ts";
import { findNextRelease } from "#app/domain/catalog/edit/releases/due-releases.server.ts";
import {
  accentColors,
  contrastError,
  DEFAULT_ACCENT,
  nearestColor,
  parseColor,
  shadesOf,
} from "#app/domain/site/colors.ts";
import {
  isPictureKind,
  type PictureKind,
  type SectionValues,
  type SiteSection,
  type SiteSetting,
  type SiteValues,
} from "#app/domain/site/settings.ts";
import { readSiteValues } from "#app/domain/site/site.server.ts";
import { listPicture } from "#app/domain/site/site-files.server.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { fillIn, readHostPage, readOwnPage, SITE_PAGES, withCustodian } from "../pages/site-page.server.ts";

const CONTACT = "{{contactEmail}}";
const BLOCK_END = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)/;
const BLOCK_MARK = /^\s*(?:[-*+>]|#+|\d+\.)\s+/;
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu})/u;

/** With unsaved values, whatever their contrast. Texts are Markdown; for the custodian, what the 2257 page shows. */
export async function previewSettings(section: SiteSection, unsaved: SectionValues, defaults: SectionValues) {
  const values: SiteValues = { ...(await readSiteValues()), ...unsaved };
  const shown = (name: SiteSetting) => values[name] || (defaults[name] ?? "");
  const page = SITE_PAGES.find((name) => name === section);
  if (page !== undefined) {
    return { text: fillIn(withCustodian(page, shown(page), values), { custodian: values }) };
  }
  if (section === "custodian") return { text: fillIn("{{custodian}}", { custodian: values }) };
  if (section === "contact") return { contact: await previewContact(asciiAddress(shown("contactEmail"))) };
  if (section === "time") return { zone: await previewZone(shown("timeZone"), siteFacts.timeZone) };
  if (isPictureKind(section)) return { picture: await findPicture(section, values[section]) };
  return { site: await previewHome(section, shown, values.logo) };
}

async function previewHome(section: SiteSection, shown: (name: SiteSetting) => string, logo: string) {
  const color = parseColor(shown("accent")) ?? DEFAULT_ACCENT;
  const shades = shadesOf(color === DEFAULT_ACCENT ? null : accentColors(color));
  const error = section === "color" ? contrastError(color) : null;
  return {
    siteName: config.setByHost.siteName ? config.siteName : shown("siteName"),
    headline: shown("headline"),
    words: shown("words"),
    light: { text: color, fill: color },
    dark: { text: shades.darkText, fill: shades.darkFill },
    error,
    /** A readable color instead of one that is not. */
    suggestion: error && nearestColor(color),
    logo: await findPicture("logo", logo),
  };
}

/** Null for the default picture. */
export async function findPicture(kind: PictureKind, version: string) {
  const files = await listPicture(kind, version);
  const largest = files.toSorted((one, other) => other.width - one.width)[0];
  if (largest === undefined) return null;
  const { name, width, height } = largest;
  return { version, src: paths.siteFile(version, name), width, height };
}

/** The sentences that name the contact address, as Markdown. */
async function previewContact(contactEmail: string) {
  const texts = await Promise.all(
    SITE_PAGES.map(async (page) => {
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
async function previewZone(zone: string, present: string) {
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
