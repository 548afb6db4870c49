/** What the account page says after a change, by the name it has in the address. */
export const SAVED = {
  profile: "Your profile is saved.",
  picture: "Your picture is saved.",
  "picture-removed": "Your picture is removed.",
  cancelled: "Your cancellation is confirmed. A mail follows.",
  kept: "Your subscription goes on.",
  resumed: "Your subscription has begun again. A mail follows.",
  device: "That device is signed out.",
} as const;

export type Saved = keyof typeof SAVED;

export function isSaved(name: string | null): name is Saved {
  return name !== null && Object.hasOwn(SAVED, name);
}
