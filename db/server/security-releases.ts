/** The minor releases with all security fixes known on 2026-11-12. */
const FIXED_IN: Record<string, number> = { 15: 20, 16: 16, 17: 12, 18: 7 };

export const OLDEST_MAJOR = Math.min(...Object.keys(FIXED_IN).map(Number));

/**
 * Takes "18.4", "17.2 (Debian 17.2-1)" or "18.4.0-beta.17". Returns the release to upgrade to; null if no
 * known fix is missing, or its fixes are not known here.
 */
export function releaseWithFixes(version: string): string | null {
  const [, major = "", minor = "0"] = /^(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  const fixedIn = FIXED_IN[major];
  return fixedIn === undefined || Number(minor) >= fixedIn ? null : `${major}.${fixedIn}`;
}
