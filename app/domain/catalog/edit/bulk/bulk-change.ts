import { ACCESSES, type Access } from "#app/domain/access/access.ts";
import type { StaffRight } from "#app/domain/staff/rights.ts";
import type { EditedItem } from "../item/items.server.ts";
import { errorsOf, normalized, tooManyNames } from "../item/sections.ts";
import { DELETED, reasonProblem, TRANSITIONS, type TransitionName } from "../states/media-states.ts";

export const BULK_LIMITS = {
  items: 1_000,
  /** More are changed in the queue. */
  inRequest: 50,
} as const;

export type BulkChange = FieldChange | StateChange;

export type FieldChange =
  | { kind: "access"; access: Access }
  | { kind: "download"; allowDownload: boolean }
  | { kind: "addTag" | "removeTag" | "addCreator" | "removeCreator"; name: string };

export type StateChange =
  /** ISO 8601. */
  { kind: "publishAt"; publishAt: string } | { kind: "state"; transition: BulkTransition; reason?: string };

type BulkTransition = Exclude<TransitionName, "schedule" | "delete">;

/** Scheduling needs a date, and each deletion its own confirmation. */
export const BULK_TRANSITIONS = (Object.keys(TRANSITIONS) as TransitionName[]).filter(
  (name): name is BulkTransition => name !== "schedule" && name !== "delete",
);

export type ChangeValue = "name" | "moment" | "reason";

export interface BulkEdit {
  section: "access" | "credits" | "tags";
  field: "access" | "allowDownload" | "creators" | "tags";
  before: string | boolean | string[];
  after: string | boolean | string[];
  problem: string | null;
}

export function isStateChange(change: BulkChange): change is StateChange {
  return change.kind === "publishAt" || change.kind === "state";
}

export function rightFor(change: BulkChange): StaffRight {
  return isStateChange(change) ? "media.publish" : "media.edit";
}

export function bulkChangeProblem(change: BulkChange): string | null {
  switch (change.kind) {
    case "addTag":
    case "removeTag":
    case "addCreator":
    case "removeCreator":
      return nameProblem(change.name);
    case "access":
      return ACCESSES.includes(change.access) ? null : "Choose who can view these items.";
    case "download":
      return null;
    case "publishAt":
      return Number.isNaN(Date.parse(change.publishAt)) ? "Please choose a date and a time." : null;
    case "state":
      if (!BULK_TRANSITIONS.includes(change.transition)) return "Choose what to do with these items.";
      return change.transition === "takeDown" ? reasonProblem(change.reason ?? "") : null;
  }
}

export function bulkEdit(item: EditedItem, change: FieldChange): BulkEdit {
  const edit = fieldEdit(item, change);
  return item.state === "deleted" ? { ...edit, problem: DELETED } : edit;
}

function fieldEdit(item: EditedItem, change: FieldChange): BulkEdit {
  const { access, allowDownload, creators, tags } = item;
  switch (change.kind) {
    case "access":
      return { section: "access", field: "access", before: access, after: change.access, problem: null };
    case "download": {
      const after = change.allowDownload;
      return { section: "access", field: "allowDownload", before: allowDownload, after, problem: null };
    }
    case "addTag":
    case "removeTag": {
      const after =
        change.kind === "addTag" ? withName(tags, change.name).sort() : withoutName(tags, change.name);
      return { section: "tags", field: "tags", before: tags, after, problem: tooManyNames("tags", after) };
    }
    case "addCreator":
    case "removeCreator": {
      const after =
        change.kind === "addCreator" ? withName(creators, change.name) : withoutName(creators, change.name);
      const problem = tooManyNames("creators", after);
      return { section: "credits", field: "creators", before: creators, after, problem };
    }
  }
}

function nameProblem(name: string): string | null {
  const names = normalized("tags", { tags: [name] });
  if (names.tags.length === 0) return "Please enter a name.";
  return Object.values(errorsOf("tags", names, null))[0] ?? null;
}

function withName(names: string[], name: string): string[] {
  return names.some((each) => isSame(each, name)) ? names : [...names, name];
}

function withoutName(names: string[], name: string): string[] {
  return names.filter((each) => !isSame(each, name));
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
