import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CLOCK_TIME_LENGTH } from "#app/clock-times.ts";
import { findCoverChoices } from "#app/domain/catalog/edit/files/cover-choice.server.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { coverView } from "#app/domain/catalog/media/picture-view.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { CoverPart } from "#app/ui/studio/item/cover-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { answerCover, type CoverAnswer, makesCover, repeatCover } from "#app/web/forms/cover-form.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { answerFormGroup } from "#app/web/studio/form-group.server.ts";
import { openItemPart } from "#app/web/studio/item-part.server.ts";
import { playerOf } from "#app/web/studio/item-player.server.ts";
import { photoPageIn, photoPages } from "#app/web/studio/photo-pages.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const photoPage = photoPageIn(request);
  return openItemPart(request, params.id ?? "", {
    find: (id) => findCoverChoices(id, photoPage),
    page: (found) => {
      const { item, color, coverVersion, candidates, photos } = found;
      const { id, type, photoCount } = item;
      const isShown = showsFiles(item);
      const here = (page: number | undefined) => paths.studioItemPart(id, "cover", { photos: page });
      return {
        action: here(photoPage > 1 ? photoPage : undefined),
        type,
        version: coverVersion,
        present: isShown && coverVersion !== null ? coverView({ id, type, color, coverVersion }) : null,
        video: playerOf(found),
        candidates: isShown ? candidates : [],
        photos: photos.map((photo) => (isShown ? photo : { ...photo, picture: null })),
        pages: photoPages({ page: photoPage, total: photoCount ?? 0 }, here),
        limits: { upload: sizeText(FILE_LIMITS.itemForm), time: CLOCK_TIME_LENGTH },
      };
    },
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  return answerFormGroup<CoverAnswer>(
    request,
    member,
    { id: params.id ?? "", part: "cover" },
    {
      repeat: repeatCover,
      acceptsFiles: true,
      takesFiles: makesCover,
      answer: async (sent) => {
        const cover = await answerCover(sent);
        if (cover === null) return null;
        if (cover === "used") return { saved: "The new cover is saved." };
        return { status: cover.error === null ? 200 : cover.isConflict ? 409 : 422, answer: cover };
      },
    },
  );
}

export default function ItemCoverPage() {
  const page = useLoaderData<typeof loader>();
  return <CoverPart {...page} answer={useKeptAnswer(useActionData<typeof action>(), page)} />;
}
