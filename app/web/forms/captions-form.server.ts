import { readFile } from "node:fs/promises";
import {
  type CaptionsFieldErrors,
  type CaptionsResult,
  removeCaptions,
  renameCaptions,
  saveCaptions,
} from "#app/domain/catalog/edit/files/captions.server.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { field, openedVersion, readIntent } from "./form-body.server.ts";
import { NO_FILE, type SentForm } from "./item-upload.server.ts";

const STEPS = ["add", "replace", "rename", "remove"] as const;
export type CaptionsStep = (typeof STEPS)[number];

export interface CaptionsAnswer {
  step: CaptionsStep;
  /** Null for new captions. */
  language: string | null;
  typed: { language: string; label: string };
  errors: CaptionsFieldErrors;
  /** Guesses about a saved file, and captions that were left out. */
  notes: string[];
}

export const captionsPart = {
  acceptsFiles: true as const,
  async answer(sent: SentForm) {
    const typed = await captionsPart.repeat(sent);
    if (typed === null) return null;
    const result = await change(sent, typed);
    if (result.saved && result.notes.length === 0) return { saved: "The captions are saved." };
    if (result.saved) return { status: 200, answer: { ...typed, notes: result.notes } };
    const { errors, isConflict } = result;
    return { status: isConflict ? 409 : 422, answer: { ...typed, errors } };
  },
  repeat: async (sent: SentForm) => typedIn(sent),
};

function typedIn({ form }: SentForm): CaptionsAnswer | null {
  const step = readIntent(form, STEPS);
  if (step === null) return null;
  const typed = { language: field(form, "language"), label: field(form, "label") };
  const language = step === "add" ? null : typed.language;
  return { step, language, typed, errors: {}, notes: [] };
}

async function change(
  { actor, id, form, files }: SentForm,
  { step, typed }: CaptionsAnswer,
): Promise<CaptionsResult> {
  switch (step) {
    case "rename":
      return renameCaptions(actor, id, typed, field(form, "opened"));
    case "remove":
      return removeCaptions(actor, id, typed.language, openedVersion(form));
    case "add":
    case "replace": {
      const [file] = files.filter((each) => each.field === "captions");
      if (file === undefined) {
        return { saved: false, isConflict: false, errors: { file: NO_FILE } };
      }
      // A file that is too large is not read: its size is enough for the refusal.
      const bytes =
        file.bytes > FILE_LIMITS.captions
          ? new Uint8Array(FILE_LIMITS.captions + 1)
          : await readFile(file.path);
      return saveCaptions(actor, id, { ...typed, file: bytes }, step === "add" ? null : openedVersion(form));
    }
  }
}
