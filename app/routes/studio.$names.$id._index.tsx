import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { nameValues, saveName } from "#app/domain/catalog/edit/names/edit-names.server.ts";
import { CREATOR_LIMITS, NAME_VALUES } from "#app/domain/catalog/edit/names/name-values.ts";
import { findHistory } from "#app/domain/staff/list-audit.server.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { paths } from "#app/paths.ts";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { NameForm } from "#app/ui/studio/names/name-form.tsx";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { siteFacts, siteTime } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { kindIn, requireName } from "#app/web/studio/name-page.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const creatorForm = z.object({
  name: anyText,
  slug: anyText,
  aliases: z.array(anyText),
  bio: anyText,
  /** Of the links, and their addresses. */
  labels: z.array(anyText),
  links: z.array(anyText),
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { kind, ...row } = await requireName(params);
  const { entries, allEntries } = await findHistory(member, row.id);
  const { notice, headers } = await takeNotice(request);
  const { portraitAlt: _, ...creator } = nameValues("creator", row);
  const { name, slug, aliases, bio, links } = creator;
  const page = {
    kind,
    values: {
      ...{ name, slug, aliases, bio },
      labels: links.map(({ label }) => label),
      links: links.map(({ url }) => url),
    },
    form: { version: versionOf(kind === "creator" ? creator : { name }), notice },
    limits: CREATOR_LIMITS,
    addressStart: siteFacts.origin + paths.creator(""),
    history: { entries: historyOf(entries, siteTime), all: allEntries, timeZone: siteFacts.timeZone },
  };
  return data(page, { headers });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const [kind, actor, id] = [kindIn(params), actorOf(member), params.id ?? ""];
  const shared = { name: kind, texts: FIELD_TEXTS, goTo: () => paths.studioName(kind, id) };
  if (kind === "tag") {
    return answerPart(request, member, {
      ...shared,
      schema: NAME_VALUES.tag,
      save: (sent, version) => saveName(actor, kind, id, version, sent),
      saved: "The name is saved.",
    });
  }
  return answerPart(request, member, {
    ...shared,
    schema: creatorForm,
    save: ({ labels, links, ...sent }, version) =>
      saveName(actor, kind, id, version, {
        ...sent,
        links: links.map((url, index) => ({ label: labels[index] ?? "", url })),
      }),
    saved: "Name and texts are saved.",
    looks: { preview: ({ bio }) => parseDescription(bio) },
  });
}

export default function StudioNamePage() {
  const { history, ...page } = useLoaderData<typeof loader>();
  const answer = useKeptAnswer(useActionData<typeof action>(), page.form);
  return (
    <>
      <NameForm {...page} preview={answer?.found} />
      <ItemHistory {...history} subject={page.kind} />
    </>
  );
}
