import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PARTS } from "#app/domain/catalog/edit/item/parts.ts";
import { savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { ITEM_LIMITS, normalizeLines } from "#app/domain/media/item-texts.ts";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { TextPart } from "#app/ui/studio/item/text-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { field } from "#app/web/forms/form-body.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItem, nextPage, openPart } from "#app/web/studio/item-part.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openPart(request, params.id ?? "", "text", {
    find: findItem,
    page: (values) => ({
      values,
      limits: { title: ITEM_LIMITS.title, description: ITEM_LIMITS.description },
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return answerPart(request, member, {
    name: "item: text",
    schema: PARTS.text,
    save: (sent, version) => savePart(actorOf(member), id, "text", version, sent),
    texts: FIELD_TEXTS,
    saved: "Title and description are saved.",
    goTo: (isNext) => nextPage(id, "text", isNext),
    looksAtTyped: { preview: (form) => parseDescription(normalizeLines(field(form, "description"))) },
  });
}

export default function ItemTextPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useKeptAnswer(useActionData<typeof action>(), page.form);
  return <TextPart {...page} preview={answer?.found} />;
}
