import type { AccessViewer } from "#app/domain/billing/access.ts";
import { isOutage } from "#app/domain/health/outage.ts";
import type { MediaType } from "#app/paths.ts";
import type { MediaCardView } from "./card.ts";
import { mediaCardView } from "./card-view.ts";
import type { ListFilters } from "./list-filters.ts";
import { listMedia, type PageRequest } from "./list-media.server.ts";
import { remembered } from "./remembered.server.ts";

type ListViewer = AccessViewer & { user: { id: string } | null };

export interface ListPage {
  cards: MediaCardView[];
  next: string | null;
  previous: string | null;
  /** The search that may have been meant, when nothing has the words of this one. */
  corrected: string | null;
  /** The search took longer than a search may, or others keep its connections busy, and was given up. */
  isTooMuch: boolean;
}

const SIGNED_OUT_LIFETIME_MS = 1_000;
const signedOut = remembered<ListPage>(SIGNED_OUT_LIFETIME_MS);

/** A page of cards as this viewer sees them. All who are not signed in see the same, so they share it for a second. */
export function findListPage(
  viewer: ListViewer,
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  const load = () => readListPage(viewer, type, filters, page);
  return viewer.user === null ? signedOut(JSON.stringify([type, filters, page]), load) : load();
}

async function readListPage(
  viewer: ListViewer,
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  try {
    const { rows, ...rest } = await listMedia(type, filters, page, viewer.user?.id ?? null);
    return { cards: rows.map((row) => mediaCardView(viewer, row)), ...rest, isTooMuch: false };
  } catch (error) {
    if (!filters.q || !isOutage(error)) throw error;
    return { cards: [], next: null, previous: null, corrected: null, isTooMuch: true };
  }
}
