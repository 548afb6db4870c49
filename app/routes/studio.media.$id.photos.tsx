import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findPhotos } from "#app/domain/catalog/edit/item/list-photos.server.ts";
import type { SavedPart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { PHOTOS_AT_ONCE, photoIdOf } from "#app/domain/catalog/edit/item/sections.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import {
  type PhotoValues,
  photosVersion,
  type SentPhoto,
  savePhotos,
} from "#app/domain/catalog/edit/photos/save-photos.server.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { photoView } from "#app/domain/catalog/media/photos.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { FIELD_TEXTS, fieldLabel } from "#app/ui/studio/field-texts.ts";
import { PhotosPart } from "#app/ui/studio/item/photos-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { NOT_THIS_FORM } from "#app/web/forms/checked-form.server.ts";
import { isUpload } from "#app/web/forms/form-body.server.ts";
import {
  PHOTO_FILES_AT_ONCE,
  PHOTO_FILES_SAVED,
  type PhotoFilesAnswer,
  photoFilesPart,
} from "#app/web/forms/photos-form.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { answerFormGroup } from "#app/web/studio/form-group.server.ts";
import { nextPage, openItemPart } from "#app/web/studio/item-part.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";
import { photoPageIn, photoPages } from "#app/web/studio/photo-pages.server.ts";

export { keepTyped as shouldRevalidate };

const photosForm = z.object({
  /** The ids of the listed photos; the next three have a text for each. */
  photo: z.array(anyText).max(PHOTOS_AT_ONCE, `Save up to ${PHOTOS_AT_ONCE} photos at a time.`),
  /** Its position when the form was opened. */
  placed: z.array(anyText),
  position: z.array(anyText.regex(/^(?!0+$)\d{1,6}$/, "Please type a number, 1 for the first photo.")),
  alt: z.array(anyText),
  /** Ids of ticked photos. */
  preview: z.array(anyText),
  leftOut: z.array(anyText),
  bringBack: z.array(anyText),
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const page = photoPageIn(request);
  return openItemPart(request, params.id ?? "", {
    type: "photoSet",
    find: (id) => findPhotos(id, page),
    page: ({ item: { id, state, photoCount }, photos: listed, all, described }, notice) => {
      if (listed.length === 0 && all > 0) throw redirect(pageOf(id, Math.ceil(all / PHOTOS_AT_ONCE)));
      const photos = listed.flatMap(({ position, ...photo }) =>
        position === null ? [] : [{ ...photo, position }],
      );
      const leftOut = listed.filter(({ position }) => position === null);
      const pictureOf = (photo: (typeof listed)[number]) =>
        showsFiles({ state })
          ? photoView(id, { ...photo, position: photo.position ?? 0 }, true).picture
          : null;
      return {
        action: pageOf(id, page),
        values: {
          photo: photos.map((photo) => photo.id),
          placed: photos.map(({ position }) => String(position)),
          position: photos.map(({ position }) => String(position)),
          alt: photos.map(({ alt }) => alt),
          preview: photos.flatMap((photo) => (photo.isPreview ? [photo.id] : [])),
          leftOut: [],
          bringBack: [],
        },
        form: {
          version: photosVersion(photos),
          notice,
          isOfOthers: Object.values(PHOTO_FILES_SAVED).some((sentence) => sentence === notice),
          hasNextDraft: state === "draft",
        },
        pictures: Object.fromEntries(
          photos.map((photo) => [photo.id, { picture: pictureOf(photo), version: photo.version }]),
        ),
        leftOut: leftOut.map((photo) => ({ id: photo.id, picture: pictureOf(photo) })),
        described,
        total: photoCount ?? 0,
        pages: photoPages({ page, total: all }, (number) => pageOf(id, number)),
        limits: {
          alt: ITEM_LIMITS.alt,
          all: sizeText(FILE_LIMITS.itemForm),
          files: PHOTO_FILES_AT_ONCE,
        },
      };
    },
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  const page = pageOf(id, photoPageIn(request));
  if (isUpload(request)) {
    return answerFormGroup<PhotoFilesAnswer>(request, member, { id, part: "photos", page }, photoFilesPart);
  }
  return answerPart(request, member, {
    name: "item: photos",
    schema: photosForm,
    save: async (sent, version) => {
      const photos = rowsIn(sent);
      if (photos === null) return { saved: false, errors: { form: NOT_THIS_FORM } };
      const result = await savePhotos(actorOf(member), id, version, { photos, broughtBack: sent.bringBack });
      return inWords(result, sent);
    },
    texts: {
      label: (field) => field,
      value: (field, value, at) => {
        if (typeof value === "number") return String(value);
        return value === null ? "Left out" : FIELD_TEXTS.value(field, value, at);
      },
    },
    saved: "The photos are saved.",
    goTo: (isNext) => (isNext ? nextPage(id, "photos", true, "photoSet") : page),
  });
}

function pageOf(id: string, page = 1): string {
  return paths.studioItemPart(id, "photos", { photos: page > 1 ? page : undefined });
}

type Sent = z.output<typeof photosForm>;

/** Null when a row misses a field. */
function rowsIn({ photo, placed, position, alt, preview, leftOut }: Sent): SentPhoto[] | null {
  if ([placed, position, alt].some(({ length }) => length !== photo.length)) return null;
  return photo.map((id, index) => ({
    id,
    alt: alt[index] ?? "",
    isPreview: preview.includes(id),
    isLeftOut: leftOut.includes(id),
    moveTo: position[index] === placed[index] ? null : Number(position[index]),
  }));
}

/** Names photos by what the form showed: its rows for errors, its numbers for conflicts. */
function inWords(result: SavedPart<PhotoValues>, { photo, placed }: Sent): SavedPart<object> {
  if ("errors" in result) {
    const errors = Object.entries(result.errors).map(([field, sentence]) => {
      const row = photo.indexOf(photoIdOf(field) ?? "");
      return [row < 0 ? field : `alt[${row}]`, sentence];
    });
    return { ...result, errors: Object.fromEntries(errors) };
  }
  if (result.saved) return result;
  const positions = Object.fromEntries(photo.map((id, index) => [id, Number(placed[index])]));
  const { stored, fields, ...conflict } = result.conflict;
  const values = Object.entries(stored).map(([field, value]) => [fieldLabel(field, positions), value]);
  return {
    saved: false,
    conflict: {
      ...conflict,
      stored: Object.fromEntries(values),
      fields: fields.map((field) => fieldLabel(field, positions)),
    },
  };
}

export default function ItemPhotosPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const files = useKeptAnswer(answer && "form" in answer ? undefined : answer, page);
  return <PhotosPart {...page} answer={files} />;
}
