import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { CLOCK_TIME_LENGTH, EXAMPLE_TIMES, formatClockTime, parseClockTime } from "#app/clock-times.ts";
import { savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { anyText, type FieldErrors } from "#app/domain/catalog/edit/item/text-fields.ts";
import { findVideoItem } from "#app/domain/catalog/edit/item/video-item.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { ChaptersPart } from "#app/ui/studio/item/chapters-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { nextPage, openPart } from "#app/web/studio/item-part.server.ts";
import { playerOf } from "#app/web/studio/item-player.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const chaptersForm = z.object({
  /** Their times, such as "4:09". */
  chapters: z.array(anyText),
  titles: z.array(anyText),
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openPart(request, params.id ?? "", "chapters", {
    type: "video",
    find: findVideoItem,
    page: ({ chapters }, found) => ({
      values: {
        chapters: chapters.map(({ atSeconds }) => formatClockTime(atSeconds)),
        titles: chapters.map(({ title }) => title),
      },
      limits: { time: CLOCK_TIME_LENGTH, title: ITEM_LIMITS.chapterTitle },
      video: playerOf(found),
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return answerPart(request, member, {
    name: "item: chapters",
    schema: chaptersForm,
    save: async (sent, version) => {
      const { chapters, errors } = chaptersIn(sent);
      if (Object.keys(errors).length > 0) return { saved: false, errors };
      return savePart(actorOf(member), id, "chapters", version, { chapters });
    },
    texts: FIELD_TEXTS,
    saved: "The chapters are saved.",
    goTo: (isNext) => nextPage(id, "chapters", isNext, "video"),
  });
}

/** An empty row is no chapter. */
function chaptersIn({ chapters: times, titles }: z.output<typeof chaptersForm>) {
  const errors: FieldErrors = {};
  const chapters = times.flatMap((time, index) => {
    const title = titles[index] ?? "";
    if (time === "" && title === "") return [];
    const atSeconds = parseClockTime(time);
    if (atSeconds === null) {
      errors[`chapters[${index}]`] = `Chapter ${index + 1} needs a time such as ${EXAMPLE_TIMES}.`;
    }
    return [{ atSeconds: atSeconds ?? 0, title }];
  });
  return { chapters, errors };
}

export default function ItemChaptersPage() {
  return <ChaptersPart {...useLoaderData<typeof loader>()} />;
}
