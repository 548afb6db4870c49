import { DraftLink, selectDraftLinks } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { db } from "#db/client.server.ts";
import { readRows } from "#db/rows.ts";

/** Those that work, the newest first. */
export const listDraftLinks = (mediaId: string) => readRows(db, DraftLink)`${selectDraftLinks(mediaId)}`;
