import type { FormTrouble } from "#app/domain/uploads/upload-limits.ts";

export interface UploadFormLimits {
  files: number;
  size: string;
}

const TROUBLE_SENTENCES: Record<FormTrouble, string | ((limits: UploadFormLimits) => string)> = {
  name: "A file name is too long or contains characters that are not allowed.",
  twice: "Two files have the same name.",
  empty: "One of the files is empty.",
  space: "There is not enough space. The site's disk is full, or your uploads have reached their limit.",
  large: ({ size }) => `You can upload up to ${size} at a time.`,
  many: ({ files }) => `You can upload up to ${files} files at a time.`,
  open: "You have too many uploads that are not imported yet. Finish or remove some of them first.",
  unread: "Not everything arrived. Please send the missing files again.",
  none: "Please choose a file first.",
};

export function troubleSentence(trouble: FormTrouble, limits: UploadFormLimits): string {
  const sentence = TROUBLE_SENTENCES[trouble];
  return typeof sentence === "string" ? sentence : sentence(limits);
}

export function troubleNamed(name: string | null): FormTrouble | null {
  return name !== null && Object.hasOwn(TROUBLE_SENTENCES, name) ? (name as FormTrouble) : null;
}
