import type { FormTrouble } from "#app/domain/uploads/upload-limits.ts";

export const TROUBLE_SENTENCES: Record<FormTrouble, string> = {
  name: "The name of a file is too long, or contains characters that are not allowed.",
  twice: "Two of the files have the same name.",
  empty: "One of the files is empty.",
  space: "There is not enough room: the disk of this site or your share of it is full.",
  large: "The files of one form may have 400 MB together.",
  many: "A form takes 100 files at most.",
  unread: "The form did not arrive whole. Please send the missing files again.",
  none: "Please choose a file first.",
};

export function troubleNamed(name: string | null): FormTrouble | null {
  return name !== null && Object.hasOwn(TROUBLE_SENTENCES, name) ? (name as FormTrouble) : null;
}
