import { eq, sql } from "drizzle-orm";
import { asciiAddress, parseAddress, readAddress } from "#app/config/mail-addresses.ts";
import { timeZoneProblem } from "#app/config/settings.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Conflict, compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site.ts";
import { readAlarmAddresses } from "./alarm-addresses.server.ts";
import {
  custodianErrors,
  isPictureKind,
  normalizedSettings,
  PICTURE_KINDS,
  type SectionValues,
  type SettingErrors,
  SITE_SECTIONS,
  type SiteSection,
  type SiteSetting,
  settingErrors,
} from "./settings.ts";
import { loadSite, ROW_PREFIX, readSiteValues, readToday } from "./site.server.ts";
import { deleteUnusedFiles, hasPicture, keepReplaced } from "./site-files.server.ts";

export type SiteSaved =
  | { saved: true }
  | { saved: false; errors: SettingErrors & { form?: string } }
  | { saved: false; conflicts: Conflict<string>[] };

export async function checkSettings(values: SectionValues): Promise<SettingErrors> {
  const wanted = storedSpelling(values);
  const errors = settingErrors(wanted, await readToday());
  const { contactEmail, alarmAddresses, timeZone } = wanted;
  if (contactEmail && parseAddress(contactEmail) === null) {
    errors.contactEmail = "The address must be one email address.";
  }
  const { error } = readAlarmAddresses(alarmAddresses ?? "");
  if (error !== null) errors.alarmAddresses ??= error;
  if (timeZone && timeZoneProblem(timeZone) !== null) {
    errors.timeZone = "The time zone must have a name such as Europe/Berlin.";
  }
  for (const kind of PICTURE_KINDS) {
    const version = wanted[kind];
    if (version && errors[kind] === undefined && !(await hasPicture(kind, version))) {
      errors[kind] = "This picture has been deleted. Please upload it again.";
    }
  }
  return errors;
}

function storedSpelling(values: SectionValues): SectionValues {
  const wanted = { ...normalizedSettings(values) };
  const { contactEmail } = wanted;
  if (contactEmail) wanted.contactEmail = readAddress(contactEmail) ?? asciiAddress(contactEmail);
  return wanted;
}

/** Saves the settings that differ from `opened`; an empty one goes back to its default. `onProblem` hears of what failed after the save. */
export async function saveSiteSection(
  actor: Actor,
  section: SiteSection,
  opened: SectionValues,
  wanted: SectionValues,
  onProblem: (error: unknown) => void = () => {},
): Promise<SiteSaved> {
  if (!mayDo(actor, "site"))
    return { saved: false, errors: { form: "Only an owner can change the settings." } };
  const sent = pickSection(section, storedSpelling(wanted));
  const errors = await checkSettings(sent);
  if (Object.keys(errors).length > 0) return { saved: false, errors };
  if (sent.alarmAddresses) {
    sent.alarmAddresses = readAlarmAddresses(sent.alarmAddresses).addresses.join("\n");
  }
  const result = await db.transaction((tx) =>
    saveFields(tx, actor, section, normalizedSettings(opened), sent),
  );
  if (result.saved) {
    // The next page of this process shows it, however late the announcement is.
    await loadSite().catch(onProblem);
    for (const kind of PICTURE_KINDS) if (kind in sent) await deleteUnusedFiles(kind).catch(onProblem);
  }
  return result;
}

async function saveFields(
  tx: Transaction,
  actor: Actor,
  section: SiteSection,
  opened: SectionValues,
  sent: SectionValues,
): Promise<SiteSaved> {
  // Two saves at once would each compare with what stood before both.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('site'))`);
  const stored = await readSiteValues(tx);
  const compared = compareEdits<string>(opened, stored, sent);
  const { changed } = compared;
  const isUnchanged = Object.keys(changed).length === 0 && compared.conflicts.length === 0;
  if (isUnchanged) return { saved: true };
  const conflicts = section === "custodian" ? custodianConflicts(opened, stored, sent) : compared.conflicts;
  if (conflicts.length > 0) return { saved: false, conflicts };
  const errors = section === "custodian" ? custodianErrors({ ...stored, ...changed }) : {};
  if (Object.keys(errors).length > 0) return { saved: false, errors };
  const names = Object.keys(changed) as SiteSetting[];
  for (const name of names) {
    if (isPictureKind(name) && stored[name] !== "") await keepReplaced(tx, name, stored[name]);
    await write(tx, name, changed[name] ?? "");
  }
  await recordAudit(tx, {
    actor,
    action: "site.edited",
    subjectKind: "site",
    subjectId: section,
    before: Object.fromEntries(names.map((name) => [name, stored[name]])),
    after: changed,
  });
  return { saved: true };
}

/** The fields name one person together, so somebody else's change of any of them concerns all. */
function custodianConflicts(
  opened: SectionValues,
  stored: SectionValues,
  sent: SectionValues,
): Conflict<string>[] {
  return SITE_SECTIONS.custodian.flatMap((field) => {
    const [theirs = "", yours = theirs] = [stored[field], sent[field]];
    return theirs === opened[field] || theirs === yours ? [] : [{ field, theirs, yours }];
  });
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

function pickSection(section: SiteSection, values: SectionValues): SectionValues {
  const names: readonly string[] = SITE_SECTIONS[section];
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
