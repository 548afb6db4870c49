import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { SIGN_IN_LIFETIME } from "#app/domain/auth/sign-in-requests.server.ts";
import records from "../../content/2257.md?raw";
import about from "../../content/about.md?raw";
import privacy from "../../content/privacy.md?raw";
import terms from "../../content/terms.md?raw";

const DEFAULTS = { about, privacy, terms, "2257": records };

export type SitePageName = keyof typeof DEFAULTS;

/** The host's own Markdown file of this name in the pages folder, else ours. */
export async function readSitePage(name: SitePageName): Promise<string> {
  const source = (await readHostPage(name)) ?? DEFAULTS[name];
  return source
    .replaceAll("{{siteName}}", config.siteName)
    .replaceAll("{{contactEmail}}", config.contactEmail)
    .replaceAll("{{signInLifetime}}", SIGN_IN_LIFETIME);
}

async function readHostPage(name: SitePageName): Promise<string | null> {
  try {
    return await readFile(join(config.pagesDir, `${name}.md`), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
