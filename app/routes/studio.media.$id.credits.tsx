import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findCredits } from "#app/domain/catalog/edit/item/credits.server.ts";
import { savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { findShoots } from "#app/domain/catalog/edit/item/shoots.server.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { parseSearch, SEARCH_LENGTH_LIMIT } from "#app/domain/catalog/lists/list-filters.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { CreditsPart } from "#app/ui/studio/item/credits-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { nextPage, openPart } from "#app/web/studio/item-part.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const creditsForm = z.object({
  creators: z.array(anyText),
  /** The tags that it keeps. */
  tags: z.array(anyText),
  /** New ones, separated by commas. */
  added: anyText,
  shoot: anyText,
  /** Words of another item. */
  find: anyText,
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  return openPart(request, params.id ?? "", "credits", {
    find: findCredits,
    page: ({ creators, tags, shoot }, found) => ({
      values: { creators, tags, added: "", shoot: shoot ?? "", find: "" },
      present: { tags, shoot },
      credited: found.credited,
      shoot: found.shoot.map(({ id, title }) => ({ id, title })),
      names: { creators: found.creators, tags: found.tags },
      limits: { name: ITEM_LIMITS.name, search: SEARCH_LENGTH_LIMIT },
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return answerPart(request, member, {
    name: "item: credits",
    schema: creditsForm,
    save: ({ creators, tags, added, shoot }, version) =>
      savePart(actorOf(member), id, "credits", version, {
        ...{ creators, tags: [...tags, ...added.split(",")], shoot },
      }),
    texts: FIELD_TEXTS,
    saved: "Credits and tags are saved.",
    goTo: (isNext) => nextPage(id, "credits", isNext),
    looks: {
      find: async ({ find }) => {
        const words = parseSearch(find) ?? "";
        const items = words === "" ? [] : await findShoots(words, id);
        return { words, items: items.map((item) => ({ id: item.id, title: item.title, type: item.type })) };
      },
    },
  });
}

export default function ItemCreditsPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useKeptAnswer(useActionData<typeof action>(), page.form);
  return <CreditsPart {...page} found={answer?.found} />;
}
