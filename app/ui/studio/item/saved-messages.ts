import type { SectionName } from "#app/domain/catalog/edit/sections.ts";

/** Shown after a change of the state, by the name in the address. */
const STATE_MESSAGES = {
  publish: "It is published.",
  schedule: "The release is planned.",
  makeDraft: "It is a draft again.",
  hide: "It is hidden.",
  show: "It is back.",
  takeDown: "It is taken down.",
  bringBack: "It is back.",
} as const;

export type SavedName = keyof typeof STATE_MESSAGES | SectionName | "revoked";

/** `sections`: the names of all sections. */
export function isSavedName(name: string | null, sections: readonly SectionName[]): name is SavedName {
  return (
    name === "revoked" ||
    sections.some((section) => section === name) ||
    (name !== null && Object.hasOwn(STATE_MESSAGES, name))
  );
}

export function stateMessage(saved: SavedName | null): string | undefined {
  return Object.entries(STATE_MESSAGES).find(([name]) => name === saved)?.[1];
}
