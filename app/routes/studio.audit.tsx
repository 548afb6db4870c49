import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { isFiltered, readAuditCursor, readAuditFilters } from "#app/domain/staff/audit-filters.ts";
import { listAudit } from "#app/domain/staff/list-audit.server.ts";
import { paths } from "#app/paths.ts";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { AuditFilterForm } from "#app/ui/studio/audit/audit-filter-form.tsx";
import { AuditList } from "#app/ui/studio/audit/audit-list.tsx";
import { changesOf, describeEntry, subjectPath } from "#app/ui/studio/audit/audit-texts.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts, siteTime } from "#app/web/pages/site-facts.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Audit log", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireStaff(request, "site");
  const query = new URL(request.url).searchParams;
  const filters = readAuditFilters(query);
  const { timeZone } = siteFacts;
  const { entries, older, newer } = await listAudit(filters, readAuditCursor(query), timeZone);
  const kept = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value ?? undefined]));
  return {
    filters,
    subjectName: entries.find(({ subjectId }) => subjectId === filters.subject)?.subjectName ?? null,
    isFiltered: isFiltered(filters),
    timeZone,
    entries: entries.map((entry) => ({
      id: entry.id,
      at: siteTime(entry.at),
      actor: entry.actor,
      did: describeEntry(entry, siteTime),
      to: subjectPath(entry),
      changes: changesOf(entry, siteTime),
    })),
    next: older === null ? null : paths.studioAudit({ ...kept, before: older }),
    previous: newer === null ? null : paths.studioAudit({ ...kept, after: newer }),
  };
}

export default function AuditPage() {
  const {
    filters,
    subjectName,
    isFiltered: hasFilters,
    timeZone,
    entries,
    next,
    previous,
  } = useLoaderData<typeof loader>();
  return (
    <StudioFrame
      title="Audit log"
      about={`Everything that people and programs have changed, newest first. Times are in ${timeZone}.`}
    >
      <AuditFilterForm
        filters={filters}
        subjectName={subjectName}
        isFiltered={hasFilters}
        timeZone={timeZone}
      />
      {entries.length > 0 ? (
        <AuditList entries={entries} />
      ) : (
        <EmptyState title="Nothing to show">
          <p>{hasFilters ? "No entry matches." : "Nobody has changed anything yet."}</p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} previousLabel="← Newer" nextLabel="Older →" />
    </StudioFrame>
  );
}
