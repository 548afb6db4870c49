import { data, redirect } from "@remix-run/node";
import { findNextDraft } from "#app/domain/catalog/edit/item/item-summary.server.ts";
import { type EditedItem, findEdited } from "#app/domain/catalog/edit/item/items.server.ts";
import type { PartName, PartValues } from "#app/domain/catalog/edit/item/parts.ts";
import { partValues } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { takeNotice } from "../session/notice-cookie.server.ts";

interface Opened {
  item: EditedItem;
}

interface FoundPart<Found extends Opened> {
  /** Of items that have this part; all when it is missing. */
  type?: MediaType;
  find: (id: string) => Promise<Found | null>;
}

interface Part<Name extends PartName, Found extends Opened, Page extends object> extends FoundPart<Found> {
  page: (values: PartValues[Name], found: Found) => Page;
}

/** What a part's page opens its form with. Call a guard first. */
export async function openPart<Name extends PartName, Found extends Opened, Page extends object>(
  request: Request,
  id: string,
  name: Name,
  { page, ...part }: Part<Name, Found, Page>,
) {
  const { found, notice, headers } = await findPart(request, id, part);
  const values = partValues(found.item, name);
  const form = { version: versionOf(values), notice, hasNextDraft: found.item.state === "draft" };
  return data({ ...page(values, found), form }, { headers });
}

/** The same for a part whose values are not the item's own, or that has several forms. */
export async function openItemPart<Found extends Opened, Page extends object>(
  request: Request,
  id: string,
  { page, ...part }: FoundPart<Found> & { page: (found: Found, notice: string | null) => Page },
) {
  const { found, notice, headers } = await findPart(request, id, part);
  return data({ ...page(found, notice), notice }, { headers });
}

/** An item without this part, such as a deleted one, leads to its overview. */
async function findPart<Found extends Opened>(
  request: Request,
  id: string,
  { type, find }: FoundPart<Found>,
) {
  const found = UUID.test(id) ? await find(id) : null;
  if (found === null) throw new Response("Not Found", { status: 404 });
  const { item } = found;
  if (item.state === "deleted" || (type !== undefined && item.type !== type)) {
    throw redirect(paths.studioItem(id));
  }
  return { found, ...(await takeNotice(request)) };
}

/** For a part that shows nothing but the item's own values. */
export async function findItem(id: string): Promise<Opened | null> {
  const item = await findEdited(id);
  return item && { item };
}

/** The same part again, or of the next draft of this type; null when there is none. */
export async function nextPage(
  id: string,
  part: string,
  isNext: boolean,
  type: MediaType | null = null,
): Promise<string | null> {
  if (!isNext) return paths.studioItemPart(id, part);
  const next = await findNextDraft(id, type);
  return next === null ? null : paths.studioItemPart(next, part);
}
