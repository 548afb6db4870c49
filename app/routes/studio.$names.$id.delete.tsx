import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { deleteName } from "#app/domain/catalog/edit/names/edit-names.server.ts";
import { paths } from "#app/paths.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { DeletePart } from "#app/ui/studio/names/delete-part.tsx";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { kindIn, outcomeOf, requireName } from "#app/web/studio/name-page.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const { kind, works } = await requireName(params);
  return { kind, works };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const kind = kindIn(params);
  return answerPart(request, member, {
    name: `${kind}: delete`,
    schema: z.object({
      confirm: z.literal("yes", "Please tick the box to confirm that you want to delete it."),
    }),
    save: async () => outcomeOf(await deleteName(actorOf(member), kind, params.id ?? "")),
    texts: FIELD_TEXTS,
    saved: `The ${kind} is deleted.`,
    goTo: () => paths.studioNames(kind),
  });
}

export default function StudioDeletePage() {
  return <DeletePart {...useLoaderData<typeof loader>()} />;
}
