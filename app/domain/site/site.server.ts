import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { toZoneTime } from "#app/dates.ts";
import { listenToAnnouncements } from "#app/domain/announcements/listen.server.ts";
import { STORAGE_PLACES } from "#app/domain/media/storage/storage.ts";
import { db, type Executor } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { type AccentColors, accentColors, parseColor } from "./colors.ts";
import { NO_SETTINGS, PICTURE_KINDS, type SiteValues } from "./settings.ts";

export const SiteFile = z.object({
  kind: z.enum(PICTURE_KINDS),
  version: text,
  name: text,
  storageKey: text,
  storage: z.enum(STORAGE_PLACES),
  contentType: text,
  bytes: number,
  sha256: text,
  width: number,
  height: number,
});
export type SiteFile = z.infer<typeof SiteFile>;

interface StoredSite {
  values: SiteValues;
  files: SiteFile[];
  accent: AccentColors | null;
}

export const SETTINGS_UNREAD = "the settings of the site could not be read, and will be read again";

/** site_settings also holds keys and marks of the installation. */
export const ROW_PREFIX = "site.";

const RETRY_MS = 2_000;

export const fileColumns = sql`f.kind, f.version, f.name, f.storage_key AS "storageKey", f.storage, f.content_type AS "contentType",
  f.bytes::float8 AS bytes, f.sha256, f.width::float8 AS width, f.height::float8 AS height`;

let stored: StoredSite = { values: NO_SETTINGS, files: [], accent: null };
let reading: Promise<void> | null = null;
let isOutdated = false;
let retry: NodeJS.Timeout | null = null;

/** The host's settings, then the owner's, then the defaults, as this process knows them. */
export const site = {
  get name(): string {
    return (config.setByHost.siteName ? "" : stored.values.siteName) || config.siteName;
  },
  get timeZone(): string {
    return (config.setByHost.timeZone ? "" : stored.values.timeZone) || config.timeZone;
  },
  /** Empty when none is set. */
  get contactEmail(): string {
    return (config.setByHost.contactEmail ? "" : stored.values.contactEmail) || config.contactEmail;
  },
  get accent(): AccentColors | null {
    return stored.accent;
  },
  get values(): SiteValues {
    return stored.values;
  },
  get files(): SiteFile[] {
    return stored.files;
  },
};

export async function readToday(executor: Executor = db): Promise<string> {
  return toZoneTime(await readDatabaseTime(executor), site.timeZone).slice(0, 10);
}

/** Reads the settings now, or once more after the read that runs. Keeps what it has when the database is away. */
export async function loadSite(): Promise<void> {
  isOutdated = true;
  reading ??= readUntilCurrent();
  await reading;
}

/** The first read may take `firstMs`, because a page must not wait for a lost database. `onProblem` hears of each that failed and is tried again. */
export async function followSite(firstMs: number, onProblem: (error: unknown) => void): Promise<void> {
  const renew = () => loadOrRetry(onProblem);
  listenToAnnouncements({
    onSubject: (subject) => {
      if (subject.startsWith(`site ${ROW_PREFIX}`)) void renew();
    },
    onLive: () => {},
    onBeginning: () => void renew(),
  });
  await Promise.race([renew(), new Promise((resolve) => setTimeout(resolve, firstMs).unref())]);
}

async function loadOrRetry(onProblem: (error: unknown) => void): Promise<void> {
  try {
    await loadSite();
  } catch (error) {
    if (retry !== null) return;
    onProblem(error);
    retry = setTimeout(() => {
      retry = null;
      void loadOrRetry(onProblem);
    }, RETRY_MS).unref();
  }
}

const SettingRow = z.object({ name: text, value: z.unknown() });

export async function readSiteValues(executor: Executor = db): Promise<SiteValues> {
  const rows = await readRows(executor, SettingRow)`
    SELECT substr(name, ${ROW_PREFIX.length + 1}::int) AS name, value FROM site_settings
    WHERE starts_with(name, ${ROW_PREFIX})`;
  const known = rows.filter(({ name, value }) => name in NO_SETTINGS && typeof value === "string");
  return { ...NO_SETTINGS, ...Object.fromEntries(known.map(({ name, value }) => [name, value])) };
}

async function readUntilCurrent(): Promise<void> {
  try {
    while (isOutdated) {
      isOutdated = false;
      stored = await readStored();
    }
  } catch (error) {
    isOutdated = true;
    throw error;
  } finally {
    // In the same turn as the loop's end: a later call would otherwise wait for this read, which is older than the call.
    reading = null;
  }
}

async function readStored(): Promise<StoredSite> {
  const values = await readSiteValues();
  const { logo, icon, share } = values;
  const files = [logo, icon, share].some((version) => version !== "")
    ? await readRows(db, SiteFile)`
        SELECT ${fileColumns} FROM site_files f
        WHERE (f.kind, f.version) IN (('logo', ${logo}), ('icon', ${icon}), ('share', ${share}))
        ORDER BY f.kind, f.name`
    : [];
  // A row that was written by hand may hold anything.
  const accent = parseColor(values.accent);
  return { values, files, accent: accent === null ? null : accentColors(accent) };
}
