import type { FormTrouble } from "#app/domain/uploads/upload-limits.ts";

/** `size`: "400 MB" */
export interface UploadFormLimits {
  files: number;
  size: string;
}

const TROUBLE_SENTENCES: Record<FormTrouble, string | ((limits: UploadFormLimits) => string)> = {
  name: "The name of a file is too long, or contains characters that are not allowed.",
  twice: "Two of the files have the same name.",
  empty: "One of the files is empty.",
  space: "There is not enough room: the disk of this site or your share of it is full.",
  large: ({ size }) => `The files of one form may have ${size} together.`,
  many: ({ files }) => `A form takes ${files} files at most.`,
  unread: "The form did not arrive whole. Please send the missing files again.",
  none: "Please choose a file first.",
};

export function troubleSentence(trouble: FormTrouble, limits: UploadFormLimits): string {
  const sentence = TROUBLE_SENTENCES[trouble];
  return typeof sentence === "string" ? sentence : sentence(limits);
}

export function troubleNamed(name: string | null): FormTrouble | null {
  return name !== null && Object.hasOwn(TROUBLE_SENTENCES, name) ? (name as FormTrouble) : null;
}
