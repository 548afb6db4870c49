import { FileField } from "./file-field.tsx";

/** Those that openPicture() reads. */
export const PICTURE_FORMATS = "JPEG, PNG, WebP, AVIF, TIFF or GIF";

interface PictureFieldProps {
  id: string;
  name: string;
  accept?: string;
  /** A picture is there already. */
  isThere: boolean;
  description: string;
  error: string | undefined;
}

/** Takes the file of a picture. */
export function PictureField({ isThere, accept = "image/*", ...input }: PictureFieldProps) {
  return <FileField label={isThere ? "Another picture" : "Picture file"} accept={accept} {...input} />;
}
