import { type NameKind, paths } from "#app/paths.ts";
import type { Part } from "../parts-frame.tsx";

interface NameFacts {
  kind: NameKind;
  id: string;
  portrait: object | null;
}

export function nameParts({ kind, id, portrait }: NameFacts): Part[] {
  const part = (name: "Portrait" | "Merge" | "Delete", holds = "") => ({
    to: paths.studioNamePart(kind, id, name.toLowerCase() as Lowercase<typeof name>),
    name,
    holds,
  });
  const isCreator = kind === "creator";
  return [
    { to: paths.studioName(kind, id), name: isCreator ? "Name and texts" : "Name", holds: "" },
    ...(isCreator ? [part("Portrait", portrait === null ? "None" : "")] : []),
    part("Merge"),
    part("Delete"),
  ];
}
