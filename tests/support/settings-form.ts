import { SITE_SECTIONS, type SiteSection } from "#app/domain/site/settings.ts";
import { paths } from "#app/paths.ts";
import type { Jar } from "./cookie-jar.ts";

/** The form of a part of the settings, as its page opens it. */
export async function openedSettings(jar: Jar, section: string): Promise<Record<string, string>> {
  const response = await jar.visit(paths.studioSettings(section));
  const page = await response.text();
  if (response.status !== 200) throw new Error(`The page of ${section} answered ${response.status}`);
  return settingsIn(page, section);
}

/** What the form of a page sends when "Save" is pressed. */
export function settingsIn(page: string, section: string): Record<string, string> {
  const names = ["version", "previewed", ...SITE_SECTIONS[section as SiteSection]];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = readValue(page, name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Null for a field that the page does not send. */
function readValue(page: string, name: string): string | null {
  const [tag, text] =
    new RegExp(`<(?:input|textarea)\\b[^>]*\\sname="${name}"[^>]*>(?:([^<]*)</textarea>)?`).exec(page) ?? [];
  if (tag === undefined) return null;
  const value = text ?? /\svalue="([^"]*)"/.exec(tag)?.[1] ?? "";
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
