import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import { AuditRow, selectHistory } from "#app/domain/staff/list-audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { flag, readRow, text, timestamp } from "#db/rows.ts";
import { isExpired } from "../../media/visibility.server.ts";
import { DraftLink, selectDraftLinks } from "./draft-links.server.ts";
import { preview, StatedItem, selectStates } from "./transitions.server.ts";

const ItemOverview = StatedItem.extend({
  access: z.enum(ACCESSES),
  isExpired: flag,
  takenDownReason: text.nullable(),
  deletedAt: timestamp.nullable(),
  links: z.array(DraftLink),
  history: z.array(AuditRow),
});

/** `back`: what the item would be if it were brought back; null when it is not away. */
export async function findItemOverview(actor: Actor, id: string) {
  if (!UUID.test(id)) return null;
  const item = await readRow(db, ItemOverview)`
    SELECT item.*, m.access, ${isExpired} AS "isExpired", m.taken_down_reason AS "takenDownReason", m.deleted_at AS "deletedAt",
      COALESCE((SELECT jsonb_agg(to_jsonb(link)) FROM (${selectDraftLinks(id)}) link), '[]') AS links,
      COALESCE((SELECT jsonb_agg(to_jsonb(entry)) FROM (${selectHistory(id)}) entry), '[]') AS history
    FROM (${selectStates([id])}) item JOIN media m ON m.id = item.id`;
  if (item === null) return null;
  const wayBack = { hidden: "show", takenDown: "bringBack" } as const;
  const { state } = item;
  const back = state === "hidden" || state === "takenDown" ? preview(actor, item, wayBack[state]) : null;
  return { ...item, back };
}
