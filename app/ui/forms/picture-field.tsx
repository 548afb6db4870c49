import { FILE_LIMITS } from "#app/file-limits.ts";
import { sizeText } from "#app/sizes.ts";
import { FileField } from "./file-field.tsx";

/** The formats that openPicture() reads. */
export const PICTURE_FORMATS = "JPEG, PNG, WebP, AVIF, TIFF or GIF";
/** A profile picture, a portrait, or a picture of the site itself. */
export const UPLOADED_PICTURE = `${PICTURE_FORMATS}, up to ${sizeText(FILE_LIMITS.picture)}`;

interface PictureFieldProps {
  id: string;
  name: string;
  accept?: string;
  isThere: boolean;
  description: string;
  error: string | undefined;
}

export function PictureField({ isThere, accept = "image/*", ...input }: PictureFieldProps) {
  return <FileField label={isThere ? "Another picture" : "Picture file"} accept={accept} {...input} />;
}
