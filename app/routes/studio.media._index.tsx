import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { count } from "#app/counts.ts";
import { formatShortZoneTime } from "#app/dates.ts";
import { PROBLEM_SENTENCES } from "#app/domain/catalog/edit/problems/problems.ts";
import { resolveNames, suggestNames } from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import {
  isNarrowed,
  parseStudioFilters,
  type StudioFilters,
  studioQuery,
} from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { listStudioMedia, type StudioItem } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { DoneStatus } from "#app/ui/forms/form-section.tsx";
import { clock } from "#app/ui/parts/clock.ts";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { BulkBar } from "#app/ui/studio/list/bulk-bar.tsx";
import { changeChoices } from "#app/ui/studio/list/change-choices.ts";
import { chosenTexts, filterFields } from "#app/ui/studio/list/filter-fields.ts";
import { MediaListFilters } from "#app/ui/studio/list/media-list-filters.tsx";
import { MediaRows, type MediaRowView } from "#app/ui/studio/list/media-rows.tsx";
import { ACCESS_SHORT, TYPE_LABELS } from "#app/ui/studio/media-labels.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { SOLVED_AT } from "#app/web/studio/item-frame.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Items", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const [member] = await Promise.all([requireStaff(request, "media.edit"), limitSearch(request)]);
  const { searchParams } = new URL(request.url);
  const { filters, creator, tag } = await resolveNames(parseStudioFilters(searchParams));
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const [{ items, next, previous }, suggested] = await Promise.all([
    listStudioMedia(filters, position),
    suggestNames(),
  ]);
  const query = studioQuery(filters);
  const { notice, headers } = await takeNotice(request);
  const page = {
    notice,
    filters,
    timeZone: siteFacts.timeZone,
    names: { ...suggested, creator, tag },
    query: Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    items: items.map((item) => rowOf(item, filters)),
    mayPublish: hasRight(member, "media.publish"),
    isAllOfIt: next === null && previous === null,
    next: next && paths.studioMedia({ ...query, after: next }),
    previous: previous && paths.studioMedia({ ...query, before: previous }),
  };
  return data(page, { headers });
}

export default function StudioMediaPage() {
  const { notice, filters, timeZone, names, query, items, mayPublish, isAllOfIt, next, previous } =
    useLoaderData<typeof loader>();
  const fields = filterFields(filters, names);
  return (
    <StudioFrame title="Items" about={`Times are in ${timeZone}.`}>
      <DoneStatus done={notice ?? undefined} />
      <MediaListFilters q={filters.q} fields={fields} chosen={chosenTexts(fields)} />
      {items.length === 0 ? (
        <Nothing isFiltered={isNarrowed(filters)} />
      ) : (
        <Form method="get" action={paths.studioBulk()}>
          {query.map(({ name, value }) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <MediaRows items={items} />
          <BulkBar changes={changeChoices(mayPublish)} allLabel={isAllOfIt ? null : allLabel(filters)} />
        </Form>
      )}
      <PageLinks previous={previous} next={next} />
    </StudioFrame>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No items yet">
        <p>
          <Link to={paths.studioUpload()}>Upload videos and pictures</Link>, or import a folder on the server.
          They appear here as drafts.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing matches">
      <p>
        Try other filters, or <Link to={paths.studioMedia()}>see all items</Link>.
      </p>
    </EmptyState>
  );
}

function allLabel(filters: StudioFilters): string {
  return isNarrowed(filters) ? "All matching items, on all pages" : "All items, on all pages";
}

function rowOf(item: StudioItem, filters: StudioFilters): MediaRowView {
  const { timeZone } = siteFacts;
  const urgentFirst = [
    ...new Set([...item.problems.filter((each) => each === "publishFailed"), ...item.problems]),
  ];
  const named = filters.problem === null ? urgentFirst.slice(0, 1) : urgentFirst;
  const { publishAt, expireAt, durationSeconds, photoCount } = item;
  return {
    id: item.id,
    title: item.title,
    creators: item.creators,
    state: item.state,
    isExpired: item.isExpired,
    facts: [
      durationSeconds === null
        ? `${TYPE_LABELS[item.type]}, ${count(photoCount ?? 0, "photo")}`
        : `${TYPE_LABELS[item.type]}, ${clock(durationSeconds)}`,
      ACCESS_SHORT[item.access],
      ...(publishAt === null ? [] : [formatShortZoneTime(publishAt, timeZone)]),
      ...(expireAt === null ? [] : [`until ${formatShortZoneTime(expireAt, timeZone)}`]),
    ],
    others: item.problems.length - named.length,
    problems: named.map((problem) => ({
      sentence: PROBLEM_SENTENCES[problem],
      to: SOLVED_AT[problem](item.id),
    })),
    cover: item.cover,
  };
}
