import { ACCESS_SHORT } from "../media-labels.ts";
import type { ChangeGroups } from "./bulk-bar.tsx";

/** Each with the value that the form sends. */
export function changeChoices(mayPublish: boolean): ChangeGroups {
  return mayPublish ? [...EDITS, ...STATES] : EDITS;
}

export function changeTitle(choice: string): string {
  const [group, option] = [...EDITS, ...STATES].flatMap(([title, options]) =>
    options.flatMap(([value, label]) => (value === choice ? [title, label] : [])),
  );
  return group === undefined ? "Change items" : `${group}: ${option?.toLowerCase()}`;
}

const EDITS: ChangeGroups = [
  ["Access", Object.entries(ACCESS_SHORT).map(([access, label]) => [`access:${access}`, label] as const)],
  [
    "Download",
    [
      ["download:yes", "Allow"],
      ["download:no", "Do not allow"],
    ],
  ],
  [
    "Tags",
    [
      ["addTag", "Add a tag"],
      ["removeTag", "Remove a tag"],
    ],
  ],
  [
    "Credits",
    [
      ["addCreator", "Add a creator"],
      ["removeCreator", "Remove a creator"],
    ],
  ],
];

const STATES: ChangeGroups = [
  [
    "Publication",
    [
      ["state:publish", "Publish now"],
      ["publishAt", "Schedule"],
      ["state:hide", "Hide"],
      ["state:show", "Bring back hidden items"],
      ["state:makeDraft", "Move back to drafts"],
      ["state:takeDown", "Take down"],
      ["state:bringBack", "Bring back taken down items"],
    ],
  ],
];
