import { eq, sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { lastEdit, versionOf } from "#app/domain/staff/part-versions.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site.ts";
import { readAlarmAddresses } from "./alarm-addresses.server.ts";
import { contrastError } from "./colors.ts";
import {
  isPictureKind,
  normalizedSettings,
  PICTURE_KINDS,
  type SectionValues,
  type SettingErrors,
  SITE_SECTIONS,
  type SiteSection,
  type SiteSetting,
  settingErrors,
  valuesOf,
} from "./settings.ts";
import { loadSite, ROW_PREFIX, readSiteValues, readToday } from "./site.server.ts";
import { deleteUnusedFiles, hasPicture, keepReplaced } from "./site-files.server.ts";

export type SiteSaved =
  | { saved: true }
  | { saved: false; errors: SettingErrors & { form?: string } }
  | { saved: false; conflict: SiteConflict };

interface SiteConflict {
  stored: SectionValues;
  version: string;
  fields: SiteSetting[];
  edit: Awaited<ReturnType<typeof lastEdit>>;
}

/** Saves the settings that differ from the stored ones; an empty one goes back to its default. `version`: of the values that the form was opened with. `onProblem` hears of what failed after the save. */
export async function saveSiteSection(
  actor: Actor,
  section: SiteSection,
  version: string,
  wanted: SectionValues,
  onProblem: (error: unknown) => void = () => {},
): Promise<SiteSaved> {
  if (!mayDo(actor, "site"))
    return { saved: false, errors: { form: "Only an owner can change the settings." } };
  const sent = valuesOf(section, normalizedSettings(wanted));
  const errors = await checkSettings(sent);
  if (Object.keys(errors).length > 0) return { saved: false, errors };
  if (sent.alarmAddresses) {
    sent.alarmAddresses = readAlarmAddresses(sent.alarmAddresses).addresses.join("\n");
  }
  const result = await db.transaction((tx) => saveFields(tx, actor, section, version, sent));
  if (result.saved) {
    // The next page of this process shows it, however late the announcement is.
    await loadSite().catch(onProblem);
    for (const kind of PICTURE_KINDS) if (kind in sent) await deleteUnusedFiles(kind).catch(onProblem);
  }
  return result;
}

async function checkSettings(values: SectionValues): Promise<SettingErrors> {
  const errors = settingErrors(values, await readToday());
  const { accent, alarmAddresses } = values;
  const unreadable = accent && errors.accent === undefined ? contrastError(accent) : null;
  if (unreadable !== null) errors.accent = unreadable;
  const { error } = readAlarmAddresses(alarmAddresses ?? "");
  if (error !== null) errors.alarmAddresses ??= error;
  for (const kind of PICTURE_KINDS) {
    const version = values[kind];
    if (version && errors[kind] === undefined && !(await hasPicture(kind, version))) {
      errors[kind] = "This picture has been deleted. Please upload it again.";
    }
  }
  return errors;
}

async function saveFields(
  tx: Transaction,
  actor: Actor,
  section: SiteSection,
  version: string,
  sent: SectionValues,
): Promise<SiteSaved> {
  // Two saves at once would each compare with what stood before both.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('site'))`);
  const stored = valuesOf(section, await readSiteValues(tx));
  const names = SITE_SECTIONS[section].filter((name) => name in sent && sent[name] !== stored[name]);
  if (names.length === 0) return { saved: true };
  const present = versionOf(stored);
  if (version !== present) {
    const edit = await lastEdit(tx, section, SITE_SECTIONS[section]);
    return { saved: false, conflict: { stored, version: present, fields: names, edit } };
  }
  for (const name of names) {
    if (isPictureKind(name) && stored[name]) await keepReplaced(tx, name, stored[name]);
    await write(tx, name, sent[name] ?? "");
  }
  const ofNames = (values: SectionValues) => Object.fromEntries(names.map((name) => [name, values[name]]));
  await recordAudit(tx, {
    actor,
    action: "site.edited",
    subjectKind: "site",
    subjectId: section,
    before: ofNames(stored),
    after: ofNames(sent),
  });
  return { saved: true };
}

async function write(tx: Transaction, setting: SiteSetting, value: string): Promise<void> {
  const name = `${ROW_PREFIX}${setting}`;
  if (value === "") {
    await tx.delete(siteSettings).where(eq(siteSettings.name, name));
    return;
  }
  await tx
    .insert(siteSettings)
    .values({ name, value })
    .onConflictDoUpdate({ target: siteSettings.name, set: { value, updatedAt: sql`now()` } });
}
