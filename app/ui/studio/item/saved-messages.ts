import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import { STATE_LABELS } from "../media-labels.ts";

/** Null: the message names the state that the item returns to. */
const STATE_MESSAGES = {
  publish: "It is published.",
  schedule: "It is scheduled.",
  makeDraft: "It is a draft again.",
  hide: "It is hidden.",
  show: null,
  takeDown: "It is taken down.",
  bringBack: null,
} as const;

const OTHER_NAMES = ["revoked"] as const;

export type SavedName = keyof typeof STATE_MESSAGES | (typeof OTHER_NAMES)[number];

export function isSavedName(name: string | null): name is SavedName {
  return (
    OTHER_NAMES.some((other) => other === name) || (name !== null && Object.hasOwn(STATE_MESSAGES, name))
  );
}

/** `state`: the one after the change. */
export function stateMessage(saved: SavedName | null, state: MediaState): string | undefined {
  const [, message] = Object.entries(STATE_MESSAGES).find(([name]) => name === saved) ?? [];
  if (message !== null) return message;
  return state === "draft" ? STATE_MESSAGES.makeDraft : `It is ${STATE_LABELS[state].toLowerCase()} again.`;
}
