import { asciiAddress, parseAddress, readAddress } from "#app/config/mail-addresses.ts";
import { timeZoneProblem } from "#app/config/settings.ts";
import { isDay } from "#app/dates.ts";
import { normalizeLines, normalizeName, textError } from "#app/domain/media/item-texts.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import { DEFAULT_ACCENT, parseColor } from "./colors.ts";

export const SITE_SECTIONS = {
  name: ["siteName", "headline", "words"],
  color: ["accent"],
  logo: ["logo"],
  icon: ["icon"],
  share: ["share"],
  about: ["about"],
  privacy: ["privacy"],
  terms: ["terms"],
  records: ["records"],
  custodian: ["custodianName", "custodianAddress", "custodianSince"],
  contact: ["contactEmail"],
  alarms: ["alarmAddresses"],
  time: ["timeZone"],
} as const;

export type SiteSection = keyof typeof SITE_SECTIONS;
export type SiteSetting = (typeof SITE_SECTIONS)[SiteSection][number];
/** Empty where the site's default counts. A picture is the version of its files. */
export type SiteValues = Record<SiteSetting, string>;
export type SectionValues = Partial<SiteValues>;
export type SettingErrors = Partial<Record<SiteSetting, string>>;

export const SITE_SECTION_NAMES = Object.keys(SITE_SECTIONS) as SiteSection[];
const SITE_SETTINGS: readonly SiteSetting[] = Object.values(SITE_SECTIONS).flat();
export const NO_SETTINGS = Object.fromEntries(SITE_SETTINGS.map((name) => [name, ""])) as SiteValues;

export const PICTURE_KINDS = ["logo", "icon", "share"] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

export const MAX_ALARM_ADDRESSES = 5;

/** Characters. docs/limits.md lists them. */
export const SITE_LIMITS: Record<SiteSetting, number> = {
  siteName: 60,
  headline: 120,
  words: 400,
  accent: 7,
  logo: 32,
  icon: 32,
  share: 32,
  about: 20_000,
  privacy: 20_000,
  terms: 20_000,
  records: 20_000,
  custodianName: 120,
  custodianAddress: 400,
  custodianSince: 10,
  contactEmail: MAX_ADDRESS_LENGTH,
  alarmAddresses: MAX_ALARM_ADDRESSES * (MAX_ADDRESS_LENGTH + 1) - 1,
  timeZone: 64,
};

const LONG: readonly SiteSetting[] = ["about", "privacy", "terms", "records", "custodianAddress"];
const LABELS: Partial<Record<SiteSetting, string>> = {
  siteName: "The name",
  headline: "The headline",
  words: "The text",
  alarmAddresses: "The list",
  custodianName: "The name",
  custodianAddress: "The address",
};
const VERSION = /^[0-9a-f]{32}$/;

export function isPictureKind(name: string): name is PictureKind {
  return PICTURE_KINDS.some((kind) => kind === name);
}

/** Of one section, always in the same order. */
export function valuesOf(section: SiteSection, values: SectionValues): SectionValues {
  return Object.fromEntries(
    SITE_SECTIONS[section].flatMap((name) => (name in values ? [[name, values[name]]] : [])),
  );
}

export function normalizedSettings(values: SectionValues): SectionValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name === "accent") return [name, parseColor(value) ?? normalizeName(value)];
      if (name === "alarmAddresses") return [name, eachLine(value)];
      if (LONG.some((long) => long === name)) return [name, normalizeLines(value)];
      const line = normalizeName(value);
      return [name, name === "contactEmail" ? (readAddress(line) ?? asciiAddress(line)) : line];
    }),
  );
}

/** A blank line stays, so that an error can number the wrong one as it was typed. */
function eachLine(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(normalizeName)
    .join("\n")
    .trimEnd();
}

/** Expects normalized values, and `today` in the site's time zone. What a preview may show is checked when it is saved. */
export function settingErrors(values: SectionValues, today: string): SettingErrors {
  const errors: SettingErrors = {};
  for (const [name, value] of Object.entries(values) as [SiteSetting, string][]) {
    const error = value === "" ? null : errorOf(name, value, today);
    if (error !== null) errors[name] = error;
  }
  return { ...custodianErrors(values), ...errors };
}

function errorOf(name: SiteSetting, value: string, today: string): string | null {
  const label = LABELS[name] ?? "The text";
  if (name === "accent") {
    return parseColor(value) === null ? `The color must be six digits such as ${DEFAULT_ACCENT}.` : null;
  }
  if (name === "contactEmail" && parseAddress(value) === null) {
    return "The address must be one email address.";
  }
  if (name === "timeZone" && timeZoneProblem(value) !== null) {
    return "The time zone must have a name such as Europe/Berlin.";
  }
  if (name === "custodianSince") {
    if (!isDay(value)) return "The date must be a day such as 2026-05-31.";
    return value > today
      ? "The date is in the future. Keep the present custodian until then, and save this change on that day."
      : null;
  }
  if (isPictureKind(name)) return VERSION.test(value) ? null : "Please choose the picture again.";
  return textError(label, value, SITE_LIMITS[name]);
}

function custodianErrors(values: SectionValues): SettingErrors {
  const { custodianName = "", custodianAddress = "", custodianSince = "" } = values;
  if (`${custodianName}${custodianAddress}${custodianSince}` === "") return {};
  return {
    ...(custodianName === "" && { custodianName: "Please add the name, or clear all three fields." }),
    ...(custodianAddress === "" && {
      custodianAddress: "Please add the street address, or clear all three fields.",
    }),
    ...(custodianSince === "" && {
      custodianSince: "Please add the day from which this person keeps the records.",
    }),
  };
}
