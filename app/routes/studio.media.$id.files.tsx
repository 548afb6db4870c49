import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { changeEncoding, ENCODING_CHANGES } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import { findItemFiles } from "#app/domain/catalog/encoding/encoding-view.server.ts";
import type { OriginalView } from "#app/domain/catalog/originals/originals.server.ts";
import { mayDo } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { EncodingSection } from "#app/ui/studio/item/encoding-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { OriginalsSection } from "#app/ui/studio/item/originals-section.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { readIntent } from "#app/web/forms/form-body.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { answerFormGroup } from "#app/web/studio/form-group.server.ts";
import { openItemPart } from "#app/web/studio/item-part.server.ts";
import { photoPageIn, photoPages } from "#app/web/studio/photo-pages.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const actor = actorOf(await requireStaff(request, "media.edit"));
  const page = photoPageIn(request);
  return openItemPart(request, params.id ?? "", {
    find: (id) => findItemFiles(actor, id, page),
    page: ({ item, originals, files, bytes, encoding }) => {
      const { id, type } = item;
      const isShown = showsFiles(item);
      return {
        originals: {
          files,
          size: sizeText(bytes),
          shown: originals.map((original) => ({
            ...originalOf(original),
            url: paths.studioOriginal(id, original.number),
            photo: type === "photoSet" ? { position: original.position } : null,
          })),
          mayFetch: isShown && mayDo(actor, "media.original"),
          isShown,
          pages: photoPages({ page, total: files }, (photos) =>
            paths.studioItemPart(id, "files", { photos }),
          ),
        },
        encoding: encoding && {
          encoding,
          mediaId: id,
          action: paths.studioItemPart(id, "files"),
          news: paths.studioEncoding(id),
        },
      };
    },
  });
}

function originalOf({ fileName, bytes, probe }: OriginalView) {
  const facts = probe.kind === "photo" ? [probe.format.toUpperCase()] : [probe.codec, probe.sound];
  return {
    fileName,
    size: sizeText(bytes),
    kind: `${facts.filter(Boolean).join(" with ")}, ${probe.width} × ${probe.height}`,
    seconds: probe.kind === "video" ? probe.seconds : null,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  return answerFormGroup(
    request,
    member,
    { id: params.id ?? "", part: "files" },
    {
      repeat: async ({ form }) => (readIntent(form, ENCODING_CHANGES) === null ? null : {}),
      answer: async ({ actor, id, form }) => {
        const change = readIntent(form, ENCODING_CHANGES);
        if (change === null) return null;
        const error = await changeEncoding(actor, id, change);
        if (error !== null) return { error };
        return { saved: "The change is saved. The steps below show the progress." };
      },
    },
  );
}

export default function ItemFilesPage() {
  const page = useLoaderData<typeof loader>();
  const { originals, encoding, notice } = page;
  const answer = useKeptAnswer(useActionData<typeof action>(), page);
  return (
    <div className={styles.page}>
      {encoding && <EncodingSection {...encoding} notice={notice} answer={answer} />}
      <OriginalsSection {...originals} />
    </div>
  );
}
