import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { listenToAnnouncements } from "#app/domain/announcements/listen.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { type AccentColors, accentColors } from "./colors.ts";
import { NO_SETTINGS, type PictureKind, type SiteValues } from "./settings.ts";

export interface SiteFile {
  kind: PictureKind;
  version: string;
  name: string;
  storageKey: string;
  contentType: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  width: number;
  height: number;
}

interface StoredSite {
  values: SiteValues;
  /** The files of the chosen pictures. */
  files: SiteFile[];
  accent: AccentColors | null;
}

/** Before the names of rows in site_settings, which also has keys and marks of the installation. */
export const ROW_PREFIX = "site.";

export const fileColumns = sql`f.kind, f.version, f.name, f.storage_key AS "storageKey", f.content_type AS "contentType",
  f.bytes::float8 AS bytes, f.sha256, f.width::float8 AS width, f.height::float8 AS height`;

let stored: StoredSite = { values: NO_SETTINGS, files: [], accent: null };
let reading: Promise<void> | null = null;
let isOutdated = false;

/** The site as this process knows it: the host's settings, then the owner's, then the defaults. No statement is needed. */
export const site = {
  get name(): string {
    return (config.setByHost.siteName ? "" : stored.values.siteName) || config.siteName;
  },
  /** In which the staff reads and writes dates and times. */
  get timeZone(): string {
    return (config.setByHost.timeZone ? "" : stored.values.timeZone) || config.timeZone;
  },
  get contactEmail(): string {
    return (config.setByHost.contactEmail ? "" : stored.values.contactEmail) || config.contactEmail;
  },
  /** Null for the colors of app/ui/theme/tokens.css. */
  get accent(): AccentColors | null {
    return stored.accent;
  },
  /** The owner's settings alone, empty where there is none. */
  get values(): SiteValues {
    return stored.values;
  },
  get files(): SiteFile[] {
    return stored.files;
  },
};

/** Reads the settings now, or once more after the read that runs. Keeps what it has when the database is away. */
export async function loadSite(): Promise<void> {
  isOutdated = true;
  reading ??= readUntilCurrent().finally(() => {
    reading = null;
  });
  await reading;
}

/** Keeps the settings current from here on. Reads them first, within `firstMs`: a page must not wait for a lost database. */
export async function followSite(firstMs: number): Promise<void> {
  const renew = () => void loadSite().catch(() => {});
  listenToAnnouncements({
    onSubject: (subject) => {
      if (subject.startsWith(`site ${ROW_PREFIX}`)) renew();
    },
    onLive: () => {},
    onBeginning: renew,
  });
  const first = loadSite().catch(() => {});
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, firstMs).unref())]);
}

/** The owner's settings as they are stored now. */
export async function readSiteValues(executor: Executor = db): Promise<SiteValues> {
  const rows = await executor.execute<{ name: string; value: unknown }>(sql`
    SELECT substr(name, ${ROW_PREFIX.length + 1}::int) AS name, value FROM site_settings
    WHERE starts_with(name, ${ROW_PREFIX})`);
  const known = rows.filter(({ name, value }) => name in NO_SETTINGS && typeof value === "string");
  return { ...NO_SETTINGS, ...Object.fromEntries(known.map(({ name, value }) => [name, value])) };
}

async function readUntilCurrent(): Promise<void> {
  while (isOutdated) {
    isOutdated = false;
    const values = await readSiteValues();
    const { logo, icon, share, accent } = values;
    const files = [logo, icon, share].some((version) => version !== "")
      ? await db.execute<SiteFile & Record<string, unknown>>(sql`
          SELECT ${fileColumns} FROM site_files f
          WHERE (f.kind, f.version) IN (('logo', ${logo}), ('icon', ${icon}), ('share', ${share}))
          ORDER BY f.kind, f.name`)
      : [];
    stored = { values, files: [...files], accent: accent === "" ? null : accentColors(accent) };
  }
}
