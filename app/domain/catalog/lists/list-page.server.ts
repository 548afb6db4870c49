import { isOutage } from "#app/domain/health/outage.server.ts";
import type { MediaType } from "#app/paths.ts";
import { type CardViewer, type MediaCardView, mediaCardView } from "../cards/cards.server.ts";
import { createSignedOutCache } from "../media/cache.server.ts";
import type { ListFilters } from "./list-filters.ts";
import { listMedia } from "./list-media.server.ts";
import type { PageRequest } from "./paging.server.ts";

interface ListPage {
  cards: MediaCardView[];
  next: string | null;
  previous: string | null;
  corrected: string | null;
  /** The search timed out, or other searches use all connections for searches. */
  isSearchOverloaded: boolean;
}

const shared = createSignedOutCache<ListPage>();

export function findListPage(
  viewer: CardViewer,
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  return shared(viewer, [type, filters, page], () => readListPage(viewer, type, filters, page));
}

async function readListPage(
  viewer: CardViewer,
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  try {
    const { rows, ...rest } = await listMedia(type, filters, page, viewer.user?.id ?? null);
    return { cards: rows.map((row) => mediaCardView(viewer, row)), ...rest, isSearchOverloaded: false };
  } catch (error) {
    if (!filters.q || !isOutage(error)) throw error;
    return { cards: [], next: null, previous: null, corrected: null, isSearchOverloaded: true };
  }
}
