export const SAVED_MESSAGES = {
  profile: "Your profile is saved.",
  picture: "Your picture is saved.",
  "picture-removed": "Your picture has been removed.",
  kept: "Your subscription continues. We will confirm it by email.",
  resumed: "Your subscription has started again. We will confirm it by email.",
  "confirmed-export": "Confirmed. Your data is ready to download.",
  "confirmed-delete": "Confirmed. You can delete your account now.",
  "account-kept": "Your account will not be deleted.",
  device: "That device has been signed out.",
} as const;

export type Saved = keyof typeof SAVED_MESSAGES;

export function isSaved(name: string | null): name is Saved {
  return name !== null && Object.hasOwn(SAVED_MESSAGES, name);
}
