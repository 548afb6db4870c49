import { data } from "@remix-run/node";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { DEFAULT_ACCENT } from "#app/domain/site/colors.ts";
import { saveSiteSection } from "#app/domain/site/edit-site.server.ts";
import {
  isPictureKind,
  MAX_ALARM_ADDRESSES,
  normalizedSettings,
  type SectionValues,
  SITE_LIMITS,
  SITE_SECTION_NAMES,
  SITE_SECTIONS,
  type SiteSection,
  type SiteSetting,
  settingErrors,
  valuesOf,
} from "#app/domain/site/settings.ts";
import { readSiteValues, readToday, site } from "#app/domain/site/site.server.ts";
import { storePicture } from "#app/domain/site/site-files.server.ts";
import { timeZoneNames } from "#app/domain/site/time-zones.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { listOwnerAddresses } from "#app/domain/staff/roles.server.ts";
import { log } from "#app/log.server.ts";
import { readStaffForm } from "../forms/form-body.server.ts";
import { readPictureForm, savePicture, type UploadError } from "../forms/picture-upload.server.ts";
import { DEFAULT_PAGES, PAGE_FILES, readHostPage, SITE_PAGES } from "../pages/site-page.server.ts";
import { takeNotice } from "../session/notice-cookie.server.ts";
import { findPicture } from "./settings-previews.server.ts";

/** `opening`: the default words of the home page. */
export function siteDefaults(opening: { headline: string; words: string }): SectionValues {
  const { siteName, timeZone, contactEmail } = config;
  const pages = Object.fromEntries(SITE_PAGES.map((name) => [name, DEFAULT_PAGES[name].trim()]));
  return { siteName, timeZone, contactEmail, accent: DEFAULT_ACCENT, ...opening, ...pages };
}

/** The first setting of each section, as this process knows it. Long texts are left out. */
export async function summarizeSettings(defaults: SectionValues) {
  const fixed = await fixedByHost();
  const summary = SITE_SECTION_NAMES.map((section) => {
    const [setting] = SITE_SECTIONS[section];
    const own = site.values[setting];
    const value = setting in DEFAULT_PAGES ? "" : (fixed[setting]?.value ?? (own || defaults[setting] || ""));
    return [section, { by: setting in fixed ? "host" : own === "" ? "default" : "owner", value }];
  });
  return Object.fromEntries(summary) as Record<
    SiteSection,
    { by: "host" | "owner" | "default"; value: string }
  >;
}

/** What a part's page opens its form with. Call a guard first. */
export async function openSettings(request: Request, section: SiteSection, defaults: SectionValues) {
  const [stored, fixed, { notice, headers }] = await Promise.all([
    readSiteValues(),
    fixedByHost(),
    takeNotice(request),
  ]);
  const own = valuesOf(section, stored);
  const names: readonly SiteSetting[] = SITE_SECTIONS[section];
  const [picture, owners] = await Promise.all([
    isPictureKind(section) ? findPicture(section, stored[section]) : null,
    section === "alarms" ? listOwnerAddresses() : [],
  ]);
  const values: SectionValues = Object.fromEntries(
    names.map((name) => [name, isPictureKind(name) ? "" : own[name] || (defaults[name] ?? "")]),
  );
  const page = {
    ...{ section, values, fixed, limits: SITE_LIMITS },
    isOwn: names.some((name) => own[name] !== ""),
    form: { version: versionOf(own), notice, hasNextDraft: false },
    siteName: site.name,
    picture,
    defaultEmail: defaults.contactEmail ?? "",
    maxAlarmAddresses: MAX_ALARM_ADDRESSES,
    ownerAddresses: owners.map(shownAddress),
    timeZones: section === "time" ? timeZoneNames() : [],
  };
  return data(page, { headers });
}

/** The body of a part's form. A chosen picture is stored, and its version sent in its place: the site does not change until that is saved. */
export async function readSettingsForm(
  request: Request,
  userId: string,
  section: SiteSection,
): Promise<FormData | UploadError> {
  if (!isPictureKind(section)) return readStaffForm(request);
  const read = await readPictureForm(request);
  if ("error" in read) return read;
  const { form } = read;
  const file = form.get("picture");
  form.delete("picture");
  const isChosen = file instanceof File && file.name !== "";
  if (form.has("reset") || (!isChosen && (form.get(section) || form.has("previewed")))) return form;
  const refused = await savePicture(userId, file, async (bytes) => {
    form.set(section, await storePicture(section, bytes));
    form.set("previewed", "yes");
  });
  return refused ?? form;
}

/** Pressing a button for other values is like typing them, so that a refused form still has them. */
export function fillSettings(
  form: FormData,
  names: readonly SiteSetting[],
  defaults: SectionValues,
): boolean {
  const suggestion = form.get("suggestion");
  if (form.get("reset") === "yes") {
    for (const name of names) form.set(name, defaults[name] ?? "");
    if (names.some(isPictureKind)) form.set("previewed", "yes");
    form.delete("reset");
    return true;
  }
  if (typeof suggestion !== "string" || !names.includes("accent")) return false;
  form.set("accent", suggestion);
  form.delete("suggestion");
  return true;
}

/** The schema of a part's form, and how it is saved. A field that the host has fixed is not sent. */
export async function settingsForm(section: SiteSection, defaults: SectionValues) {
  const [fixed, today] = await Promise.all([fixedByHost(), readToday()]);
  const names: SiteSetting[] = SITE_SECTIONS[section].filter((name) => !(name in fixed));
  const plain = normalizedSettings(defaults);
  /** A value that equals the default is stored as empty. */
  const wantedIn = (sent: Record<string, string | undefined>): SectionValues => {
    const typed = normalizedSettings(valuesOf(section, sent));
    return Object.fromEntries(
      Object.entries(typed).map(([name, value]) => [name, value === plain[name as SiteSetting] ? "" : value]),
    );
  };
  const fields: Record<string, z.ZodType<string | undefined>> = Object.fromEntries(
    names.map((name) => [name, anyText]),
  );
  const schema = z.object(fields).superRefine((sent, context) => {
    for (const [name, message] of Object.entries(settingErrors(wantedIn(sent), today))) {
      context.addIssue({ code: "custom", path: [name], message });
    }
  });
  const save = async (actor: Actor, sent: Record<string, string | undefined>, version: string) => {
    const result = await saveSiteSection(actor, section, version, wantedIn(sent), (error) =>
      log.warn({ err: error, section }, "the settings are saved, but something after that failed"),
    );
    return result.saved ? { ...result, title: "", renamed: [] } : result;
  };
  return { names, schema, wantedIn, save };
}

interface FixedSetting {
  by: string;
  /** Empty for a page. */
  value: string;
}

async function fixedByHost(): Promise<Partial<Record<SiteSetting, FixedSetting>>> {
  const { siteName, timeZone, contactEmail } = config.setByHost;
  const files = await Promise.all(SITE_PAGES.map(async (name) => [name, await readHostPage(name)] as const));
  return {
    ...(siteName && { siteName: { by: "SITE_NAME", value: config.siteName } }),
    ...(timeZone && { timeZone: { by: "TIME_ZONE", value: config.timeZone } }),
    ...(contactEmail && { contactEmail: { by: "CONTACT_EMAIL", value: config.contactEmail } }),
    ...Object.fromEntries(
      files.flatMap(([name, text]) => (text === null ? [] : [[name, { by: PAGE_FILES[name], value: "" }]])),
    ),
  };
}
