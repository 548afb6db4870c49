import { paths } from "#app/paths.ts";

const MINUTE = 60;
const HOUR = 3600;

/** `purpose` follows "to". `seconds` is how long a sign-in counts as recent, by the database's clock. */
export const STEP_UPS = {
  export: { purpose: "download your data", seconds: 10 * MINUTE },
  delete: { purpose: "delete your account", seconds: 10 * MINUTE },
  portal: { purpose: "manage your payments", seconds: 10 * MINUTE },
  studio: { purpose: "open the studio", seconds: 12 * HOUR },
  custodian: { purpose: "change the custodian of records", seconds: HOUR },
  roles: { purpose: "change who works on this site", seconds: HOUR },
} as const;

export type StepUp = keyof typeof STEP_UPS;

export function toStepUp(name: string | null): StepUp | null {
  return name !== null && Object.hasOwn(STEP_UPS, name) ? (name as StepUp) : null;
}

export function isStepUpPath(path: string): boolean {
  return Object.keys(STEP_UPS).some((name) => `${path}&`.startsWith(`${paths.confirm(name)}&`));
}
