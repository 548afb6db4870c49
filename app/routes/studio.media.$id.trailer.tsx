import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { CLOCK_TIME_LENGTH, formatClockTime, NO_CLOCK_TIME, parseClockTime } from "#app/clock-times.ts";
import {
  findVideoWithTrailer,
  saveTrailer,
  trailerVersion,
} from "#app/domain/catalog/edit/files/trailer.server.ts";
import { TRAILER_SECONDS } from "#app/domain/catalog/edit/files/trailer-range.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { paths } from "#app/paths.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { TrailerPart } from "#app/ui/studio/item/trailer-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { openItemPart } from "#app/web/studio/item-part.server.ts";
import { playerOf } from "#app/web/studio/item-player.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

/** Times such as "4:09". */
const trailerForm = z.object({ from: anyText, to: anyText });

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openItemPart(request, params.id ?? "", {
    type: "video",
    find: findVideoWithTrailer,
    page: (found, notice) => {
      const { range = null, made = null, isWanted = false, isStopped = false } = found.trailer ?? {};
      const video = playerOf(found);
      const isShown = made !== null && showsFiles(found.item);
      return {
        values: { from: timeText(range?.from), to: timeText(range?.to) },
        form: { version: trailerVersion(range), notice },
        made: isShown ? { url: made.url, width: video.width, height: video.height } : null,
        ...{ isWanted, isStopped, video },
        encoding: paths.studioItemPart(found.item.id, "files"),
        limits: { seconds: TRAILER_SECONDS.most, time: CLOCK_TIME_LENGTH },
      };
    },
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const [actor, id] = [actorOf(member), params.id ?? ""];
  return answerPart(request, member, {
    name: "item: trailer",
    schema: trailerForm,
    save: async (sent, version) => {
      if (sent.from === "" && sent.to === "") return saveTrailer(actor, id, null, version);
      const [from, to] = [parseClockTime(sent.from), parseClockTime(sent.to)];
      if (from !== null && to !== null) return saveTrailer(actor, id, { from, to }, version);
      const errors = {
        ...(from === null && { from: NO_CLOCK_TIME }),
        ...(to === null && { to: NO_CLOCK_TIME }),
      };
      return { saved: false, errors };
    },
    texts: { label: FIELD_TEXTS.label, value: (_, seconds) => timeText(seconds) },
    saved: "The trailer is saved.",
    goTo: () => paths.studioItemPart(id, "trailer"),
  });
}

function timeText(seconds: unknown): string {
  return typeof seconds === "number" ? formatClockTime(seconds) : "";
}

export default function ItemTrailerPage() {
  return <TrailerPart {...useLoaderData<typeof loader>()} />;
}
