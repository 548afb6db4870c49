import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { findDraft } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { serializeDraft } from "#app/web/media/draft-cookie.server.ts";
import { secretIn } from "#app/web/pages/emailed-link.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Link expired", robots: "noindex" });

/** Redirects at once, so that the token does not stay in the address bar. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdult(request);
  const token = secretIn(params.token ?? "");
  const draft = await findDraft(token);
  if (draft === null) return data(null, { status: 404 });
  const cookie = await serializeDraft(request, draft.mediaId, token);
  return redirect(paths.media(draft.type, draft.slug), { headers: { "Set-Cookie": cookie } });
}

export default function EndedLinkPage() {
  return (
    <div className={styles.column}>
      <h1>This link no longer works</h1>
      <p>
        It is incomplete or has ended. It led to something that is not public yet. Please ask the person who
        sent it for a new one.
      </p>
    </div>
  );
}
