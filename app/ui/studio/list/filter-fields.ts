import type { Problem } from "#app/domain/catalog/edit/problems/problems.ts";
import type { FilterName, TypedName } from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import type { StudioFilters, StudioState } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { ACCESS_SHORT, STATE_LABELS, TYPE_LABELS } from "../media-labels.ts";
import type { ChoiceField, NameField } from "./media-list-filters.tsx";

interface Names {
  creators: FilterName[];
  tags: FilterName[];
  creator: TypedName | null;
  tag: TypedName | null;
}

export function filterFields(filters: StudioFilters, names: Names): (ChoiceField | NameField)[] {
  const { state, type, access, problem, sort, direction } = filters;
  const { creator, tag, creators, tags } = names;
  return [
    { name: "state", label: "State", any: "Any state", value: state, options: STATES },
    { name: "type", label: "Type", any: "Videos and photos", value: type, options: TYPES },
    { name: "access", label: "Access", any: "Any access", value: access, options: ACCESSES },
    { name: "creator", label: "Creator", any: "All creators", typed: creator, suggested: creators },
    { name: "tag", label: "Tag", any: "All tags", typed: tag, suggested: tags },
    {
      name: "problem",
      label: "Problem",
      any: "With or without problems",
      value: problem,
      options: PROBLEM_OPTIONS,
    },
    { name: "sort", label: "Sort by", any: undefined, value: sort, options: SORTS },
    { name: "direction", label: "Order", any: "Default order", value: direction, options: DIRECTIONS },
  ];
}

/** "Draft, No cover, by title". */
export function chosenTexts(fields: (ChoiceField | NameField)[]): string[] {
  return fields.flatMap((field) => {
    if ("typed" in field) return field.typed?.text ?? [];
    const { name, value, options } = field;
    const [first] = options;
    const [, label] = options.find(([option]) => option === value) ?? [];
    // The list has an order even when none is chosen.
    const isUsual = name === "direction" || (name === "sort" && value === first?.[0]);
    if (label === undefined || isUsual) return [];
    return name === "sort" ? `by ${label.toLowerCase()}` : label;
  });
}

const { draft, scheduled, published, ...unseen } = STATE_LABELS;
const STATES = Object.entries({
  draft,
  scheduled,
  published,
  expired: "Expired",
  ...unseen,
} satisfies Record<StudioState, string>);
const TYPES = Object.entries(TYPE_LABELS);
const ACCESSES = Object.entries(ACCESS_SHORT);
const PROBLEM_OPTIONS = Object.entries({
  noCredit: "No credit",
  noCover: "No cover",
  noProductionDate: "No production date",
  missingCaptions: "No captions",
  publishFailed: "Publication failed",
  encodingFailed: "Encoding failed",
} satisfies Record<Problem, string>);
const SORTS = [
  ["changed", "Last changed"],
  ["publishAt", "Publication date"],
  ["title", "Title"],
] as const;
const DIRECTIONS = [
  ["asc", "Ascending"],
  ["desc", "Descending"],
] as const;
