import { type Actor, mayDo, type StaffRight } from "#app/domain/staff/rights.ts";
import { UUID } from "#app/texts.ts";
import { db, type Executor, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { DELETED, NO_ITEM, NOT_ALLOWED } from "../states/media-states.ts";
import { type EditedItem, lockItems, readItem } from "./items.server.ts";

export type IdOrProblem = { id: string; problem: null } | { id: null; problem: string };

/** A string says why this person cannot change the item. */
export async function openItem(
  actor: Actor,
  id: string,
  { right = "media.edit", executor = db }: { right?: StaffRight | undefined; executor?: Executor } = {},
): Promise<EditedItem | string> {
  if (!mayDo(actor, right)) return NOT_ALLOWED;
  const item = UUID.test(id) ? await readItem(executor, id) : null;
  if (item === null) return NO_ITEM;
  return item.state === "deleted" ? DELETED : item;
}

/** Locks the rows of the item and of `others`. Resolves with the result of `change` or the sentence of `openItem()`. */
export function changeItem<Result>(
  actor: Actor,
  id: string,
  change: (tx: Transaction, item: EditedItem) => Promise<Result>,
  { right, others = [] }: { right?: StaffRight; others?: string[] } = {},
): Promise<Result | string> {
  return retryDeadlock(async (tx) => {
    await lockItems(
      tx,
      [id, ...others].filter((each) => UUID.test(each)),
    );
    const item = await openItem(actor, id, { right, executor: tx });
    return typeof item === "string" ? item : change(tx, item);
  });
}
