import { paths } from "#app/paths.ts";

/** A sign-in counts as fresh for this long, by the database's clock. */
export const FRESH_SIGN_IN_SECONDS = 600;

/** Actions that need a fresh sign-in, worded to follow "to": "to download your data". */
export const STEP_UPS = {
  export: "download your data",
  delete: "delete your account",
  portal: "open your payments",
} as const;

export type StepUp = keyof typeof STEP_UPS;

export function toStepUp(name: string | null): StepUp | null {
  return name !== null && Object.hasOwn(STEP_UPS, name) ? (name as StepUp) : null;
}

export function isStepUpPath(path: string): boolean {
  return Object.keys(STEP_UPS).some((name) => path === paths.confirm(name));
}
