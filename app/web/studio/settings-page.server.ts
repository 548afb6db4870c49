import { asciiAddress } from "#app/config/mail-addresses.ts";
import { config } from "#app/config.server.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import {
  accentColors,
  contrastError,
  DEFAULT_ACCENT,
  parseColor,
  shadesOf,
} from "#app/domain/site/colors.ts";
import {
  MAX_ALARM_ADDRESSES,
  normalizedSettings,
  PICTURE_KINDS,
  type PictureKind,
  type SectionValues,
  SITE_LIMITS,
  SITE_SECTION_NAMES,
  SITE_SECTIONS,
  type SiteSection,
  type SiteSetting,
  type SiteValues,
} from "#app/domain/site/settings.ts";
import { readSiteValues } from "#app/domain/site/site.server.ts";
import { listPicture } from "#app/domain/site/site-files.server.ts";
import { timeZoneNames } from "#app/domain/site/time-zones.ts";
import { listOwnerAddresses } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { logoView, siteFacts } from "../pages/site-facts.server.ts";
import {
  DEFAULT_PAGES,
  fillIn,
  PAGE_FILES,
  readHostPage,
  type SitePageName,
  withCustodian,
} from "../pages/site-page.server.ts";
import { previewContact, previewZone } from "./settings-previews.server.ts";

const PAGES = Object.keys(DEFAULT_PAGES) as SitePageName[];

/** `opening`: the default words of the home page. */
export function siteDefaults(opening: { headline: string; words: string }): SectionValues {
  const { siteName, timeZone, contactEmail } = config;
  const pages = Object.fromEntries(PAGES.map((name) => [name, DEFAULT_PAGES[name].trim()]));
  return { siteName, timeZone, contactEmail, accent: DEFAULT_ACCENT, ...opening, ...pages };
}

export async function findSettingsPage(defaults: SectionValues) {
  const [stored, hosts, owners] = await Promise.all([readSiteValues(), fixedByHost(), listOwnerAddresses()]);
  return {
    action: paths.studioSettings(),
    stored: bySection((name) => stored[name]),
    fields: bySection((name) => hosts[name]?.value ?? (stored[name] || (defaults[name] ?? ""))),
    isOwn: Object.fromEntries(
      SITE_SECTION_NAMES.map((section) => [
        section,
        SITE_SECTIONS[section].some((name) => stored[name] !== ""),
      ]),
    ) as Record<SiteSection, boolean>,
    defaultEmail: defaults.contactEmail ?? "",
    hosts,
    pictures: await picturesOf(stored),
    limits: SITE_LIMITS,
    maxAlarmAddresses: MAX_ALARM_ADDRESSES,
    ownerAddresses: owners.map(shownAddress),
    timeZones: timeZoneNames(),
    hasOutbox: siteFacts.hasOutbox,
  };
}

export interface FixedSetting {
  by: string;
  value: string;
}

export async function fixedByHost(): Promise<Partial<Record<SiteSetting, FixedSetting>>> {
  const { siteName, timeZone, contactEmail } = config.setByHost;
  const files = await Promise.all(PAGES.map(async (name) => [name, await readHostPage(name)] as const));
  return {
    ...(siteName && { siteName: { by: "SITE_NAME", value: config.siteName } }),
    ...(timeZone && { timeZone: { by: "TIME_ZONE", value: config.timeZone } }),
    ...(contactEmail && { contactEmail: { by: "CONTACT_EMAIL", value: config.contactEmail } }),
    ...Object.fromEntries(
      files.flatMap(([name, value]) => (value === null ? [] : [[name, { by: PAGE_FILES[name], value }]])),
    ),
  };
}

/** With unsaved values, whatever their contrast. */
export async function previewSettings(section: SiteSection, fields: SectionValues, defaults: SectionValues) {
  const stored = await readSiteValues();
  const values = { ...stored, ...normalizedSettings(fields) } as SiteValues;
  const shown = (name: SiteSetting) => values[name] || (defaults[name] ?? "");
  const { setByHost } = config;
  const color = parseColor(shown("accent")) ?? DEFAULT_ACCENT;
  const shades = shadesOf(color === DEFAULT_ACCENT ? null : accentColors(color));
  return {
    section,
    siteName: setByHost.siteName ? config.siteName : shown("siteName"),
    headline: shown("headline"),
    words: shown("words"),
    light: { text: color, fill: color },
    dark: { text: shades.darkText, fill: shades.darkFill },
    error: section === "color" ? contrastError(color) : null,
    pictures: await picturesOf(values),
    text: previewText(section, values, shown),
    contact:
      section === "contact"
        ? await previewContact(
            setByHost.contactEmail ? config.contactEmail : asciiAddress(shown("contactEmail")),
          )
        : null,
    zone:
      section === "time"
        ? await previewZone(setByHost.timeZone ? config.timeZone : shown("timeZone"), siteFacts.timeZone)
        : null,
  };
}

/** Markdown; for the custodian, what the 2257 page shows. */
function previewText(section: SiteSection, values: SiteValues, shown: (name: SiteSetting) => string) {
  if (section === "custodian") return fillIn("{{custodian}}", { custodian: values });
  const page = PAGES.find((name) => name === section);
  return page === undefined ? null : fillIn(withCustodian(page, shown(page), values), { custodian: values });
}

async function picturesOf(values: SiteValues) {
  const found = await Promise.all(PICTURE_KINDS.map((kind) => pictureOf(kind, values[kind])));
  return Object.fromEntries(PICTURE_KINDS.map((kind, index) => [kind, found[index] ?? null])) as Record<
    PictureKind,
    { src: string; width: number; height: number } | null
  >;
}

async function pictureOf(kind: PictureKind, version: string) {
  const files = await listPicture(kind, version);
  if (kind === "logo") return logoView(files) ?? null;
  const largest = files.toSorted((one, other) => other.width - one.width)[0];
  return largest
    ? { src: paths.siteFile(version, largest.name), width: largest.width, height: largest.height }
    : null;
}

function bySection(read: (name: SiteSetting) => string): Record<SiteSection, SectionValues> {
  return Object.fromEntries(
    SITE_SECTION_NAMES.map((section) => [
      section,
      Object.fromEntries(SITE_SECTIONS[section].map((name) => [name, read(name)])),
    ]),
  ) as Record<SiteSection, SectionValues>;
}
