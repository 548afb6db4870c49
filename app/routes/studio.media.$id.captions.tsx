import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { findItemWithCaptions } from "#app/domain/catalog/edit/files/captions.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { COMMON_LANGUAGES } from "#app/domain/media/video/common-languages.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { CaptionsPart } from "#app/ui/studio/item/captions-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { type CaptionsAnswer, captionsPart } from "#app/web/forms/captions-form.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { answerFormGroup } from "#app/web/studio/form-group.server.ts";
import { openItemPart } from "#app/web/studio/item-part.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openItemPart(request, params.id ?? "", {
    type: "video",
    find: findItemWithCaptions,
    page: ({ item, captions }) => ({
      action: paths.studioItemPart(item.id, "captions"),
      captions,
      suggested: Object.values(COMMON_LANGUAGES),
      limits: {
        upload: sizeText(FILE_LIMITS.captions),
        languages: ITEM_LIMITS.captions,
        label: ITEM_LIMITS.captionsLabel,
      },
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const part = { id: params.id ?? "", part: "captions" };
  return answerFormGroup<CaptionsAnswer>(request, member, part, captionsPart);
}

export default function ItemCaptionsPage() {
  const page = useLoaderData<typeof loader>();
  return <CaptionsPart {...page} answer={useKeptAnswer(useActionData<typeof action>(), page)} />;
}
