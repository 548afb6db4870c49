import { FileField } from "./file-field.tsx";

/** The formats that openPicture() reads. */
export const PICTURE_FORMATS = "JPEG, PNG, WebP, AVIF, TIFF or GIF";

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
