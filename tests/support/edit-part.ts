import { readItem } from "#app/domain/catalog/edit/item/items.server.ts";
import type { PartName, PartValues } from "#app/domain/catalog/edit/item/parts.ts";
import { partValues, type SavedPart, savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { nameValues, saveName } from "#app/domain/catalog/edit/names/edit-names.server.ts";
import { findName } from "#app/domain/catalog/edit/names/name-rows.server.ts";
import type { NameValues } from "#app/domain/catalog/edit/names/name-values.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { NameKind } from "#app/paths.ts";
import { db } from "#db/client.server.ts";

/** As a page opens its form. */
export async function openedPart<Name extends PartName>(id: string, name: Name) {
  const item = await readItem(db, id);
  if (item === null) throw new Error("the item is gone");
  const values = partValues(item, name);
  return { values, version: versionOf(values) };
}

/** Opens the form of a part, changes fields of it, and sends it. */
export async function editPart<Name extends PartName>(
  actor: Actor,
  id: string,
  name: Name,
  changes: Partial<PartValues[Name]>,
): Promise<SavedPart<PartValues[Name]>> {
  const { values, version } = await openedPart(id, name);
  return savePart(actor, id, name, version, { ...values, ...changes });
}

/** Opens fields of a creator or tag, changes them, and sends them. */
export async function editName<Kind extends NameKind>(
  actor: Actor,
  kind: Kind,
  id: string,
  changes: Partial<NameValues[Kind]>,
): Promise<SavedPart<object>> {
  const row = await findName(kind, id);
  if (row === null) throw new Error(`the ${kind} is gone`);
  const opened = Object.entries(nameValues(kind, row)).filter(([field]) => field in changes);
  return saveName(actor, kind, id, versionOf(Object.fromEntries(opened)), changes);
}
