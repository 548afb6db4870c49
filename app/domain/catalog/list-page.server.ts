import type { AccessViewer } from "#app/domain/billing/access.ts";
import type { MediaType } from "#app/paths.ts";
import type { MediaCardView } from "./card.ts";
import { mediaCardView } from "./card-view.ts";
import { correctSearch } from "./correct-search.server.ts";
import type { ListFilters } from "./list-filters.ts";
import { listMedia, type PageRequest } from "./list-media.server.ts";
import { remembered } from "./remembered.server.ts";

export interface ListPage {
  cards: MediaCardView[];
  next: string | null;
  previous: string | null;
  /** The words that were searched for instead of those typed. */
  corrected: string | null;
}

const SIGNED_OUT_LIFETIME_MS = 1_000;
const signedOut = remembered<ListPage>(SIGNED_OUT_LIFETIME_MS);

/** A page of cards as this viewer sees them. All who are not signed in see the same, so they share it for a second. */
export function findListPage(
  viewer: AccessViewer & { user: { id: string } | null },
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  const load = () => readListPage(viewer, type, filters, page);
  return viewer.user === null ? signedOut(JSON.stringify([type, filters, page]), load) : load();
}

async function readListPage(
  viewer: AccessViewer & { user: { id: string } | null },
  type: MediaType,
  filters: ListFilters,
  page: PageRequest,
): Promise<ListPage> {
  const corrected = filters.q && !filters.exact ? await correctSearch(filters.q) : null;
  const asked = corrected ? { ...filters, q: corrected } : filters;
  const { rows, next, previous } = await listMedia(type, asked, page, viewer.user?.id ?? null);
  return { cards: rows.map((row) => mediaCardView(viewer, row)), next, previous, corrected };
}
