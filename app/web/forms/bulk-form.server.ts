import { fromZoneTime } from "#app/dates.ts";
import { ACCESSES } from "#app/domain/access/access.ts";
import {
  BULK_TRANSITIONS,
  type BulkChange,
  type ChangeValue,
} from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import type { BulkSelection } from "#app/domain/catalog/edit/bulk/bulk-preview.server.ts";
import { parseStudioFilters } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { trimInvisible } from "#app/texts.ts";
import { shownZone } from "./shown-zone.server.ts";

export interface ChosenChange {
  choice: string;
  needs: ChangeValue | null;
  typed: string;
  /** The zone in which the form showed its date and time. */
  timeZone: string;
  /** Null while the value is missing or unreadable. */
  change: BulkChange | null;
}

const NAMED = ["addTag", "removeTag", "addCreator", "removeCreator"] as const;

export function readChange(query: URLSearchParams | FormData): ChosenChange | null {
  const timeZone = shownZone(query);
  const read = readChoice(query, timeZone);
  return read && { ...read, timeZone };
}

function readChoice(query: URLSearchParams | FormData, zone: string): Omit<ChosenChange, "timeZone"> | null {
  const choice = text(query, "change");
  const typed = trimInvisible(text(query, "value"));
  const [kind, option] = choice.split(":");
  const named = NAMED.find((name) => name === kind);
  if (named !== undefined) {
    return { choice, needs: "name", typed, change: typed === "" ? null : { kind: named, name: typed } };
  }
  if (kind === "publishAt") {
    const publishAt = fromZoneTime(typed, zone)?.toISOString();
    return { choice, needs: "moment", typed, change: publishAt ? { kind, publishAt } : null };
  }
  if (kind === "state") return readTransition(choice, option, typed);
  if (kind === "download" && (option === "yes" || option === "no")) {
    return { choice, needs: null, typed, change: { kind, allowDownload: option === "yes" } };
  }
  const access = ACCESSES.find((each) => each === option);
  if (kind !== "access" || access === undefined) return null;
  return { choice, needs: null, typed, change: { kind, access } };
}

function readTransition(
  choice: string,
  option: string | undefined,
  typed: string,
): Omit<ChosenChange, "timeZone"> | null {
  const transition = BULK_TRANSITIONS.find((name) => name === option);
  if (transition === undefined) return null;
  if (transition !== "takeDown") return { choice, needs: null, typed, change: { kind: "state", transition } };
  const change = typed === "" ? null : ({ kind: "state", transition, reason: typed } as const);
  return { choice, needs: "reason", typed, change };
}

export function readSelection(query: URLSearchParams): BulkSelection {
  if (query.get("which") === "all") return { filters: parseStudioFilters(query) };
  return { ids: query.getAll("id") };
}

/** As typed, with its spaces. */
function text(form: FormData | URLSearchParams, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
