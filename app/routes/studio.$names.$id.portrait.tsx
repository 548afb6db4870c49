import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { anyText, type FieldErrors } from "#app/domain/catalog/edit/item/text-fields.ts";
import { nameValues, saveName } from "#app/domain/catalog/edit/names/edit-names.server.ts";
import { findName } from "#app/domain/catalog/edit/names/name-rows.server.ts";
import { CREATOR_LIMITS } from "#app/domain/catalog/edit/names/name-values.ts";
import { removePortrait, savePortrait } from "#app/domain/catalog/edit/names/portraits.server.ts";
import { portraitView } from "#app/domain/catalog/media/picture-view.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { paths } from "#app/paths.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { PortraitForm } from "#app/ui/studio/names/portrait-form.tsx";
import { isUpload } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { readPictureForm, savePicture } from "#app/web/forms/picture-upload.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { kindIn, outcomeOf, requireName } from "#app/web/studio/name-page.server.ts";
import { answerPart, type PartAnswer } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const REMOVED = "The portrait is removed.";

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const { kind, ...row } = await requireName(params);
  if (kind === "tag") throw new Response("Not Found", { status: 404 });
  const { portraitAlt } = nameValues(kind, row);
  const { notice, headers } = await takeNotice(request);
  const page = {
    values: { portraitAlt, picture: "" },
    form: { version: versionOf({ portraitAlt }), notice, isOfOthers: notice === REMOVED },
    portrait: portraitView(row),
    limits: CREATOR_LIMITS,
  };
  return data(page, { headers });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  if (kindIn(params) === "tag") throw new Response("Not Found", { status: 404 });
  const [actor, id] = [actorOf(member), params.id ?? ""];
  const shared = {
    name: "creator: portrait",
    texts: FIELD_TEXTS,
    goTo: () => paths.studioNamePart("creator", id, "portrait"),
  };
  if (!isUpload(request)) {
    return answerPart(request, member, {
      ...shared,
      schema: z.object({}),
      save: async () => outcomeOf(await removePortrait(actor, id)),
      saved: REMOVED,
    });
  }
  const read = await readPictureForm(request);
  if ("error" in read) {
    const errorId = logRefusal(request, shared.name);
    const form = { status: "error" as const, error: { picture: [read.error] } };
    return data<PartAnswer>({ form, errorId }, { status: read.status });
  }
  const { form } = read;
  const picture = form.get("picture");
  form.delete("picture");
  return answerPart(request, member, {
    ...shared,
    schema: z.object({ portraitAlt: anyText }),
    form,
    save: async ({ portraitAlt }, version) => {
      const isChosen = picture instanceof File && picture.name !== "";
      const isTextOnly = !isChosen && (await findName("creator", id))?.portrait_key != null;
      if (isTextOnly) return saveName(actor, "creator", id, version, { portraitAlt });
      let errors = null as FieldErrors | null;
      const refused = await savePicture(member.user.id, picture, async (bytes) => {
        errors = await savePortrait(actor, id, bytes, portraitAlt);
      });
      if (refused !== null) {
        return { saved: false, errors: { picture: refused.error }, status: refused.status };
      }
      return errors === null ? outcomeOf(null) : { saved: false, errors };
    },
    saved: "The portrait is saved.",
  });
}

export default function StudioPortraitPage() {
  return <PortraitForm {...useLoaderData<typeof loader>()} />;
}
