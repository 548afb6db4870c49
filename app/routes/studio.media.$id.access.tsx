import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { PARTS } from "#app/domain/catalog/edit/item/parts.ts";
import { savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { AccessPart } from "#app/ui/studio/item/access-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItem, nextPage, openPart } from "#app/web/studio/item-part.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const accessForm = z.object({
  access: PARTS.access.shape.access,
  allowDownload: z.literal("yes").optional(),
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openPart(request, params.id ?? "", "access", {
    find: findItem,
    page: ({ access, allowDownload }) => ({
      values: { access, ...(allowDownload && { allowDownload: "yes" as const }) },
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return answerPart(request, member, {
    name: "item: access",
    schema: accessForm,
    save: ({ access, allowDownload }, version) =>
      savePart(actorOf(member), id, "access", version, { access, allowDownload: allowDownload === "yes" }),
    texts: FIELD_TEXTS,
    saved: "The access is saved.",
    goTo: (isNext) => nextPage(id, "access", isNext),
  });
}

export default function ItemAccessPage() {
  return <AccessPart {...useLoaderData<typeof loader>()} />;
}
