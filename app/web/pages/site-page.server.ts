import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { formatDate, formatDays, isDay } from "#app/dates.ts";
import { UNDO_DAYS } from "#app/domain/account/request-deletion.server.ts";
import { AGE_PROOF_DAYS, KNOWN_BROWSER_DAYS } from "#app/domain/auth/known-browsers.server.ts";
import { SESSION_LIFETIME_SECONDS } from "#app/domain/auth/sessions.server.ts";
import { SIGN_IN_LIFETIME } from "#app/domain/auth/sign-in-requests.server.ts";
import { DRAFT_LINK_DAYS } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import type { SiteValues } from "#app/domain/site/settings.ts";
import { site } from "#app/domain/site/site.server.ts";
import { NO_CONTACT } from "#app/texts.ts";
import records from "../../content/2257.md?raw";
import about from "../../content/about.md?raw";
import noCustodian from "../../content/no-custodian.md?raw";
import privacy from "../../content/privacy.md?raw";
import terms from "../../content/terms.md?raw";

export const DEFAULT_PAGES = { about, privacy, terms, records };
export type SitePageName = keyof typeof DEFAULT_PAGES;
export const SITE_PAGES = Object.keys(DEFAULT_PAGES) as SitePageName[];

export const PAGE_FILES: Record<SitePageName, string> = {
  about: "about.md",
  privacy: "privacy.md",
  terms: "terms.md",
  records: "2257.md",
};
const CUSTODIAN = "{{custodian}}";
const CONTACT_LINK = /\[(\{\{contactEmail\}\})\]\(mailto:\{\{contactEmail\}\}\)/g;

/** The host's file wins over the owner's text, and that over ours. */
export async function readSitePage(name: SitePageName): Promise<string> {
  return fillIn((await readHostPage(name)) ?? readOwnPage(name));
}

/** `unsaved`: values for a preview. */
export function fillIn(
  source: string,
  unsaved: { custodian?: Custodian; contactEmail?: string } = {},
): string {
  const { custodian = site.values, contactEmail = site.contactEmail } = unsaved;
  const texts = new Map([
    ["custodian", custodianText(custodian) ?? noCustodian.trim()],
    ["siteName", escaped(site.name)],
    ["contactEmail", contactEmail === "" ? NO_CONTACT : escapedAddress(contactEmail)],
    ["signInLifetime", SIGN_IN_LIFETIME],
    ["sessionLifetime", count(SESSION_LIFETIME_SECONDS / 3_600, "hour")],
    ["ageLifetime", formatDays(AGE_PROOF_DAYS)],
    ["browserLifetime", formatDays(KNOWN_BROWSER_DAYS)],
    ["draftLifetime", formatDays(DRAFT_LINK_DAYS)],
    ["undoTime", formatDays(UNDO_DAYS)],
  ]);
  const text = contactEmail === "" ? source.replaceAll(CONTACT_LINK, "$1") : source;
  // In one pass, because a filled-in text may read like a placeholder.
  return text.replace(/\{\{(\w+)\}\}/g, (gap, name) => texts.get(name) ?? gap);
}

type Custodian = Pick<SiteValues, "custodianName" | "custodianAddress" | "custodianSince">;

export function hasCustodian(): boolean {
  return custodianText(site.values) !== null;
}

function custodianText({ custodianName, custodianAddress, custodianSince }: Custodian): string | null {
  if (custodianName === "" || custodianAddress === "" || !isDay(custodianSince)) return null;
  const since = formatDate(new Date(`${custodianSince}T00:00:00Z`));
  const lines = [`**${escaped(custodianName)}**`, ...custodianAddress.split("\n").map(escaped)];
  return `The Custodian of Records, since ${since}, is\n\n${lines.join("  \n")}\n\nThe records are available for inspection at this address as the regulation provides.`;
}

function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** Only what Markdown could read: an address that stands alone still becomes a link. */
function escapedAddress(address: string): string {
  return address.replace(/[*`~&|]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, "\\$&");
}

export function readOwnPage(name: SitePageName): string {
  const own = site.values[name];
  return own === "" ? DEFAULT_PAGES[name] : withCustodian(name, own);
}

/** A text of the records without a gap for the custodian gets a section at its end. */
export function withCustodian(name: SitePageName, text: string, custodian: Custodian = site.values): string {
  const isComplete = name !== "records" || text.includes(CUSTODIAN) || custodianText(custodian) === null;
  return isComplete ? text : `${text}\n\n## Custodian of Records\n\n${CUSTODIAN}`;
}

export async function readHostPage(name: SitePageName): Promise<string | null> {
  try {
    return await readFile(join(config.pagesDir, PAGE_FILES[name]), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
