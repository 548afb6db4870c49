import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { addCreator } from "#app/domain/catalog/edit/names/edit-names.server.ts";
import {
  listStudioNames,
  nameQuery,
  parseNameQuery,
} from "#app/domain/catalog/edit/names/list-names.server.ts";
import { CREATOR_LIMITS } from "#app/domain/catalog/edit/names/name-values.ts";
import { portraitView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { NamesPage } from "#app/ui/studio/names/names-page.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { kindIn } from "#app/web/studio/name-page.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  pageMeta({ title: page?.kind === "tag" ? "Tags, studio" : "Creators, studio", robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  await Promise.all([requireStaff(request, "media.edit"), limitSearch(request)]);
  const kind = kindIn(params);
  const { searchParams } = new URL(request.url);
  const query = parseNameQuery(searchParams);
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const { names, next, previous } = await listStudioNames(kind, query, position);
  const { notice, headers } = await takeNotice(request);
  const kept = nameQuery(query);
  const page = {
    ...{ kind, query, notice, limits: CREATOR_LIMITS },
    names: names.map((row) => ({
      ...{ id: row.id, name: row.name, slug: row.slug, works: row.works },
      facts: [
        ...(row.aliases.length > 0 ? [`also ${row.aliases.join(", ")}`] : []),
        ...(row.isPublic ? [] : ["not on the site, because nothing is published"]),
      ],
      // The name is beside the portrait.
      portrait: portraitView({ ...row, portrait_alt: "" }),
    })),
    next: next && paths.studioNames(kind, { ...kept, after: next }),
    previous: previous && paths.studioNames(kind, { ...kept, before: previous }),
  };
  return data(page, { headers });
}

/** A tag is added on the page of an item. */
export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  if (kindIn(params) === "tag") throw new Response("Request Failed", { status: 405 });
  let made = "";
  return answerPart(request, member, {
    name: "creator: add",
    schema: z.object({ name: anyText }),
    save: async ({ name }) => {
      const { id, problem } = await addCreator(actorOf(member), name);
      if (id === null) return { saved: false, errors: { name: problem } };
      made = id;
      return { saved: true, title: name, renamed: [] };
    },
    texts: FIELD_TEXTS,
    saved: "The creator is added. Visitors can see the page once something is published.",
    goTo: () => paths.studioName("creator", made),
  });
}

export default function StudioNamesPage() {
  return <NamesPage {...useLoaderData<typeof loader>()} />;
}
