import { Button, Group } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { findEditableCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { findEditableTag } from "#app/domain/catalog/edit/names/edit-tags.server.ts";
import { mergeNames, previewMerge } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import { readTypedName, suggestNames } from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import { SLUG_LENGTH_LIMIT } from "#app/domain/catalog/lists/list-filters.ts";
import type { NameKind } from "#app/domain/catalog/media/former-slugs.server.ts";
import { paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { FormError, INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { MergeForm } from "#app/ui/studio/names/ending-sections.tsx";
import { MergeEffects } from "#app/ui/studio/names/merge-effects.tsx";
import styles from "#app/ui/studio/names/names.module.css";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import "#app/ui/theme/mantine.css";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { field, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Merge", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const kind = kindOf(searchParams.get("kind"));
  const id = searchParams.get("from") ?? "";
  const subject = await (kind === "creator" ? findEditableCreator(id) : findEditableTag(id));
  if (subject === null) throw new Response("Not Found", { status: 404 });
  const into = (searchParams.get("into") ?? "").slice(0, SLUG_LENGTH_LIMIT).replaceAll("\0", "");
  const [typed, suggested] = await Promise.all([readTypedName(kind, into), suggestNames()]);
  const preview =
    typed === null || typed.found === null ? null : await previewMerge(kind, id, typed.found.id);
  return {
    ...{ kind, id, name: subject.name, typed: into, typedLength: SLUG_LENGTH_LIMIT, preview },
    error: problemOf(kind, typed),
    suggested: suggested[kind === "creator" ? "creators" : "tags"],
    back: pageOf(kind, id),
    similar: typed?.similar.map(({ name, text }) => ({
      ...{ name, to: paths.studioMerge({ kind, from: id, into: text }) },
    })),
    hasOutbox: siteFacts.hasOutbox,
  };
}

function kindOf(text: unknown): NameKind {
  if (text === "creator" || text === "tag") return text;
  throw new Response("Not Found", { status: 404 });
}

function pageOf(kind: NameKind, id: string, query?: Record<string, string>): string {
  return kind === "creator" ? paths.studioCreator(id, query) : paths.studioTag(id, query);
}

function problemOf(kind: NameKind, typed: Awaited<ReturnType<typeof readTypedName>>): string | undefined {
  if (typed === null) return `Please enter the name of the other ${kind}.`;
  return typed.found === null ? `No ${kind} is called ${quoted(typed.text)}.` : undefined;
}

interface MergeAnswer {
  error: string | undefined;
  code: RequestedCode | null;
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const form = await readStaffForm(request);
  const [kind, from, into] = [field(form, "kind"), field(form, "from"), field(form, "into")];
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "studio",
    next: paths.studioCreators(),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  if (!confirmation.isConfirmed) {
    return data<MergeAnswer>({ error: undefined, code: confirmation.code }, { status: 403, headers });
  }
  const refuse = (error: string) => {
    logRefusal(request, "merge");
    return data<MergeAnswer>({ error, code: null }, { status: 422, headers });
  };
  if (kind !== "creator" && kind !== "tag") return refuse(INCOMPLETE);
  const error = await mergeNames(actorOf(member), kind, from, into);
  if (error !== null) return refuse(error);
  return redirect(pageOf(kind, into, { saved: "merged" }), { status: 303, headers });
}

export default function StudioMergePage() {
  const page = useLoaderData<typeof loader>();
  const refused = useActionData<MergeAnswer>();
  const { search } = useLocation();
  const { kind, id, name, typed, typedLength, preview, error, similar, back, suggested } = page;
  return (
    <StudioFrame title={`Merge ${quoted(name)}`}>
      <FormError>{refused?.error ?? preview?.problem ?? undefined}</FormError>
      <div className={styles.add}>
        <MergeForm {...{ kind, id, typed, typedLength, error, suggested }} />
        {similar !== undefined && similar.length > 0 && (
          <p className={styles.facts}>
            <span>Similar names:</span>{" "}
            {similar.map(({ name: other, to }) => (
              <Link key={to} to={to}>
                {other}
              </Link>
            ))}
          </p>
        )}
      </div>
      {preview !== null && preview.problem === null && (
        <>
          <MergeEffects kind={kind} {...preview} />
          {/* With the query, so that a refused form stands below its preview again. */}
          <Form method="post" action={paths.studioMerge() + search} className={styles.group}>
            <input type="hidden" name="kind" value={kind} />
            <input type="hidden" name="from" value={preview.subject.id} />
            <input type="hidden" name="into" value={preview.target.id} />
            {refused?.code && <CodeField code={refused.code} hasOutbox={page.hasOutbox} />}
            <Group gap="sm">
              <SubmitButton busyLabel="Merging …">Merge the two</SubmitButton>
              <Button component={Link} to={back} variant="default">
                Cancel
              </Button>
              {refused?.code && <AnotherCodeButton />}
            </Group>
          </Form>
        </>
      )}
      <p>
        <Link to={back}>Back to {quoted(name)}</Link>
      </p>
    </StudioFrame>
  );
}
