import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CLOCK_TIME_LENGTH, formatClockTime } from "#app/clock-times.ts";
import { findVideoWithTrailer } from "#app/domain/catalog/edit/files/trailer.server.ts";
import { TRAILER_SECONDS } from "#app/domain/catalog/edit/files/trailer-range.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { TrailerPart } from "#app/ui/studio/item/trailer-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { type TrailerAnswer, trailerPart } from "#app/web/forms/trailer-form.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { answerFilePart } from "#app/web/studio/file-part.server.ts";
import { openFilePart } from "#app/web/studio/item-part.server.ts";
import { playerOf } from "#app/web/studio/item-player.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openFilePart(request, params.id ?? "", {
    type: "video",
    find: findVideoWithTrailer,
    page: (found) => {
      const { range = null, made = null, isWanted = false, isStopped = false } = found.trailer ?? {};
      const time = (seconds: number | undefined) => (seconds === undefined ? "" : formatClockTime(seconds));
      const video = playerOf(found);
      const isShown = made !== null && showsFiles(found.item);
      return {
        id: found.item.id,
        opened: range,
        times: { from: time(range?.from), to: time(range?.to) },
        made: isShown ? { url: made.url, width: video.width, height: video.height } : null,
        ...{ isWanted, isStopped, video },
        limits: { seconds: TRAILER_SECONDS.most, time: CLOCK_TIME_LENGTH },
      };
    },
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const part = { id: params.id ?? "", part: "trailer" };
  return answerFilePart<TrailerAnswer>(request, member, part, trailerPart);
}

export default function ItemTrailerPage() {
  const page = useLoaderData<typeof loader>();
  return <TrailerPart {...page} answer={useKeptAnswer(useActionData<typeof action>(), page)} />;
}
