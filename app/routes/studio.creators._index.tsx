import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { count } from "#app/counts.ts";
import { CREATOR_LIMITS } from "#app/domain/catalog/edit/names/creator-sections.ts";
import { addCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { listStudioCreators } from "#app/domain/catalog/edit/names/list-names.server.ts";
import { nameQuery, parseNameQuery } from "#app/domain/catalog/edit/names/name-query.ts";
import { paths } from "#app/paths.ts";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { AddCreatorForm, NameList } from "#app/ui/studio/names/name-list.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { text } from "#app/web/forms/section-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";

const SORT_LABELS = [
  ["name", "Name"],
  ["newest", "Newest first"],
  ["works", "Most works"],
] as const;

export const meta: MetaFunction = () => pageMeta({ title: "Creators, studio", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await Promise.all([requireStaff(request, "media.edit"), limitSearch(request)]);
  const { searchParams } = new URL(request.url);
  const query = parseNameQuery(searchParams);
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const { names, next, previous } = await listStudioCreators(query, position);
  const kept = nameQuery(query);
  return {
    query,
    names: names.map(({ id, name, slug, aliases, works, isPublic, portrait }) => ({
      ...{ id, name, portrait, to: paths.studioCreator(id) },
      works: { to: paths.studioMedia({ creator: slug }), text: count(works, "work") },
      facts: [
        ...(aliases.length > 0 ? [`also ${aliases.join(", ")}`] : []),
        ...(isPublic ? [] : ["not on the site, nothing published"]),
      ],
    })),
    isDeleted: searchParams.get("saved") === "deleted",
    limits: CREATOR_LIMITS,
    hasOutbox: siteFacts.hasOutbox,
    next: next && paths.studioCreators({ ...kept, after: next }),
    previous: previous && paths.studioCreators({ ...kept, before: previous }),
  };
}

interface CreatorsAnswer {
  typed: string;
  error: string | undefined;
  code: RequestedCode | null;
  errorId: string | undefined;
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const form = await readStaffForm(request);
  const typed = text(form, "name");
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "studio",
    next: paths.studioCreators(),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  if (!confirmation.isConfirmed) {
    const answer = { typed, error: undefined, code: confirmation.code, errorId: undefined };
    return data<CreatorsAnswer>(answer, { status: 403, headers });
  }
  const added = await addCreator(actorOf(member), typed);
  if (added.id !== null) {
    return redirect(paths.studioCreator(added.id, { saved: "made" }), { status: 303, headers });
  }
  const errorId = logRefusal(request, "creator: not made");
  return data<CreatorsAnswer>({ typed, error: added.problem, code: null, errorId }, { status: 422, headers });
}

export default function StudioCreatorsPage() {
  const { query, names, isDeleted, limits, hasOutbox, next, previous } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <StudioFrame title="Creators" about="The numbers include unpublished works.">
      {isDeleted && <p role="status">The creator is deleted.</p>}
      <ShortFilters
        action={paths.studioCreators()}
        label="Search all names"
        state={query}
        sorts={SORT_LABELS}
      />
      {names.length > 0 ? (
        <NameList names={names} />
      ) : query.q === null ? (
        <EmptyState title="No creators yet">
          <p>Creators appear here when an item credits them, or when you add one below.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No creator with that name">
          <p>
            Try other words, or <Link to={paths.studioCreators()}>see all creators</Link>.
          </p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} />
      <AddCreatorForm
        action={paths.studioCreators()}
        typed={refused?.typed ?? ""}
        error={refused?.error}
        maxLength={limits.name}
        code={refused?.code ?? null}
        hasOutbox={hasOutbox}
      />
    </StudioFrame>
  );
}
