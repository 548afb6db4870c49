import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findNameChange, type NameChange } from "#app/domain/catalog/edit/names/name-changes.server.ts";
import { paths } from "#app/paths.ts";
import { NameProgress } from "#app/ui/studio/names/name-progress.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";

const REFRESH_SECONDS = 2;

export const meta: MetaFunction = () => pageMeta({ title: "Change of a name", robots: "noindex" });

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const change = await findNameChange(params.id ?? "");
  if (change === null) throw new Response("Not Found", { status: 404 });
  const { total, done, isDone } = change;
  const page = { ...{ total, done, isDone }, ...textsOf(change), refreshSeconds: REFRESH_SECONDS };
  // A header works without scripts.
  return data(page, isDone ? {} : { headers: { Refresh: String(REFRESH_SECONDS) } });
}

function textsOf({ kind, action, subjectId, subjectName, targetId, targetName }: NameChange) {
  const page = kind === "creator" ? paths.studioCreator : paths.studioTag;
  const list =
    kind === "creator"
      ? { to: paths.studioCreators(), label: "All creators" }
      : { to: paths.studioTags(), label: "All tags" };
  switch (action) {
    case "rename":
      return {
        title: `New name: “${targetName}”`,
        sentence: `The search finds every item by “${targetName}”.`,
        back: { to: page(subjectId), label: `To “${targetName}”` },
      };
    case "merge":
      return {
        title: `Merge “${subjectName}” into “${targetName}”`,
        sentence: `“${subjectName}” is part of “${targetName}” now.`,
        back: targetId === null ? list : { to: page(targetId), label: `To “${targetName}”` },
      };
    case "delete":
      return { title: `Delete “${subjectName}”`, sentence: `“${subjectName}” is deleted.`, back: list };
  }
}

export default function StudioNameChangePage() {
  const { title, ...progress } = useLoaderData<typeof loader>();
  return (
    <StudioFrame title={title}>
      <NameProgress {...progress} />
    </StudioFrame>
  );
}
