import { count } from "#app/counts.ts";
import type { SiteSection, SiteSetting } from "#app/domain/site/settings.ts";
import { paths } from "#app/paths.ts";
import type { Part } from "../parts-frame.tsx";

interface SectionTexts {
  title: string;
  /** Follows "changed a setting:". */
  inSentence: string;
  saved: string;
}

export const SITE_SECTION_TEXTS: Record<SiteSection, SectionTexts> = {
  name: {
    title: "Name and home page",
    inSentence: "name and home page",
    saved: "The name and the home page are saved.",
  },
  color: { title: "Color", inSentence: "color", saved: "The color is saved." },
  logo: { title: "Logo", inSentence: "logo", saved: "The logo is saved." },
  icon: { title: "Icon", inSentence: "icon", saved: "The icon is saved." },
  share: { title: "Share picture", inSentence: "share picture", saved: "The share picture is saved." },
  about: { title: "About", inSentence: "About text", saved: "The About text is saved." },
  privacy: { title: "Privacy", inSentence: "Privacy text", saved: "The Privacy text is saved." },
  terms: {
    title: "Terms and Conditions",
    inSentence: "Terms and Conditions",
    saved: "The Terms and Conditions are saved.",
  },
  records: { title: "2257", inSentence: "2257 text", saved: "The 2257 text is saved." },
  custodian: {
    title: "Custodian of records",
    inSentence: "custodian of records",
    saved: "The custodian of records is saved.",
  },
  contact: { title: "Contact", inSentence: "contact address", saved: "The contact address is saved." },
  alarms: {
    title: "Alarms",
    inSentence: "alarm addresses",
    saved: "The alarm addresses are saved.",
  },
  time: { title: "Time zone", inSentence: "time zone", saved: "The time zone is saved." },
};

export const SETTING_LABELS: Record<SiteSetting, string> = {
  siteName: "Site name",
  headline: "Headline",
  words: "Text below the headline",
  accent: "Color",
  logo: "Logo",
  icon: "Icon",
  share: "Share picture",
  about: "About text",
  privacy: "Privacy text",
  terms: "Text of the Terms and Conditions",
  records: "2257 text",
  custodianName: "Custodian’s name",
  custodianAddress: "Custodian’s street address",
  custodianSince: "Custodian since",
  contactEmail: "Contact address",
  alarmAddresses: "Alarm addresses",
  timeZone: "Time zone",
};

const SHOWN_LENGTH = 300;

/** For the two versions of a conflict. An empty setting has its default, except the custodian, who has none. */
export const SETTING_FIELD_TEXTS = {
  label: (field: string) => SETTING_LABELS[field as SiteSetting],
  value: (field: string, value: unknown) =>
    settingText(field as SiteSetting, String(value)) || (field.startsWith("custodian") ? "" : "The default"),
};

/** Empty for the default. A long text is cut. */
export function settingText(setting: SiteSetting, value: string): string {
  if (["logo", "icon", "share"].includes(setting)) return value && `picture ${value.slice(0, 8)}`;
  if (setting === "alarmAddresses") return value.replaceAll("\n", ", ");
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)} …` : value;
}

interface SettingSummary {
  by: "host" | "owner" | "default";
  value: string;
}

/** The parts of the settings, with what they hold. */
export function settingParts(summary: Record<SiteSection, SettingSummary>): Part[] {
  return (Object.keys(SITE_SECTION_TEXTS) as SiteSection[]).map((section) => ({
    to: paths.studioSettings(section),
    name: SITE_SECTION_TEXTS[section].title,
    holds: holdsText(section, summary[section]),
  }));
}

const NAMED_BY_VALUE: readonly SiteSection[] = ["name", "color", "custodian", "contact", "time"];

function holdsText(section: SiteSection, { by, value }: SettingSummary): string {
  if (NAMED_BY_VALUE.includes(section)) return value || "None";
  if (section === "alarms")
    return value === "" ? "To every owner" : count(value.split("\n").length, "address");
  return { host: "Set on the server", owner: "Your own", default: "Default" }[by];
}
