import type { SiteSection, SiteSetting } from "#app/domain/site/settings.ts";

interface SectionTexts {
  title: string;
  /** Worded to follow "changed the settings,". */
  inSentence: string;
  saved: string;
}

/** In the order of the page. */
export const SITE_SECTION_TEXTS: Record<SiteSection, SectionTexts> = {
  name: {
    title: "Name and home page",
    inSentence: "name and home page",
    saved: "The name and the words of the home page are saved.",
  },
  color: { title: "Color", inSentence: "color", saved: "The color is saved." },
  logo: { title: "Logo", inSentence: "logo", saved: "The logo is saved." },
  icon: { title: "Icon", inSentence: "icon", saved: "The icon is saved." },
  share: { title: "Share picture", inSentence: "share picture", saved: "The share picture is saved." },
  about: { title: "About", inSentence: "text of About", saved: "The text of About is saved." },
  privacy: { title: "Privacy", inSentence: "text of Privacy", saved: "The text of Privacy is saved." },
  terms: {
    title: "Terms and Conditions",
    inSentence: "text of Terms and Conditions",
    saved: "The text of Terms and Conditions is saved.",
  },
  records: { title: "2257", inSentence: "text of 2257", saved: "The text of 2257 is saved." },
  custodian: {
    title: "Custodian of records",
    inSentence: "custodian of records",
    saved: "The custodian of records is saved.",
  },
  contact: { title: "Contact", inSentence: "contact address", saved: "The contact address is saved." },
  alarms: {
    title: "Alarms",
    inSentence: "addresses for alarms",
    saved: "The addresses for alarms are saved.",
  },
  time: { title: "Time zone", inSentence: "time zone", saved: "The time zone is saved." },
};

export const SETTING_LABELS: Record<SiteSetting, string> = {
  siteName: "Name of the site",
  headline: "Headline",
  words: "Text below the headline",
  accent: "Color",
  logo: "Logo",
  icon: "Icon",
  share: "Share picture",
  about: "Text of About",
  privacy: "Text of Privacy",
  terms: "Text of Terms and Conditions",
  records: "Text of 2257",
  custodianName: "Name of the custodian",
  custodianAddress: "Street address of the custodian",
  custodianSince: "Custodian since",
  contactEmail: "Contact address",
  alarmAddresses: "Addresses for alarms",
  timeZone: "Time zone",
};

const SHOWN_LENGTH = 300;

/** As settingText; a setting that is not set has its default, but for the custodian, who has none. */
export function conflictText(setting: SiteSetting, value: string): string {
  return settingText(setting, value) || (setting.startsWith("custodian") ? "" : "The default");
}

/** The value of a setting for people, its beginning when it is long; empty for the default. */
export function settingText(setting: SiteSetting, value: string): string {
  if (["logo", "icon", "share"].includes(setting)) return value && `picture ${value.slice(0, 8)}`;
  if (setting === "alarmAddresses") return value.replaceAll("\n", ", ");
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)} …` : value;
}
