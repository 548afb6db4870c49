import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { mergeNames, previewMerge } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import {
  readTypedName,
  suggestNamesOf,
  type TypedName,
} from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import { SLUG_LENGTH_LIMIT } from "#app/domain/catalog/lists/list-filters.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { MergePart } from "#app/ui/studio/names/merge-part.tsx";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { kindIn, outcomeOf, requireName } from "#app/web/studio/name-page.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const { kind, id } = await requireName(params);
  const into = new URL(request.url).searchParams.get("into")?.slice(0, SLUG_LENGTH_LIMIT) ?? null;
  const [typed, suggested] = await Promise.all([
    readTypedName(kind, into?.replaceAll("\0", "") ?? null),
    suggestNamesOf(kind),
  ]);
  const preview = typed?.found ? await previewMerge(kind, id, typed.found.id) : null;
  return {
    ...{ kind, id, typed: into ?? "", typedLength: SLUG_LENGTH_LIMIT, suggested },
    preview: preview?.problem === null ? preview : null,
    error: preview?.problem ?? (into === null ? undefined : problemOf(kind, typed)),
    similar: typed?.similar.map(({ name, text }) => ({
      ...{ name, to: paths.studioNamePart(kind, id, "merge", { into: text }) },
    })),
  };
}

function problemOf(kind: NameKind, typed: TypedName | null): string | undefined {
  if (typed === null) return `Please enter the name of the other ${kind}.`;
  return typed.found === null ? `No ${kind} is called ${quoted(typed.text)}.` : undefined;
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const kind = kindIn(params);
  let target = "";
  return answerPart(request, member, {
    name: `${kind}: merge`,
    schema: z.object({ into: anyText }),
    save: async ({ into }) => {
      target = into;
      return outcomeOf(await mergeNames(actorOf(member), kind, params.id ?? "", into));
    },
    texts: FIELD_TEXTS,
    saved: `The two ${kind}s are merged.`,
    goTo: () => paths.studioName(kind, target),
  });
}

export default function StudioMergePage() {
  return <MergePart {...useLoaderData<typeof loader>()} />;
}
