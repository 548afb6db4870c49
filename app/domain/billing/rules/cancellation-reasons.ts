import { z } from "zod";
import { hasVisibleCharacter } from "#app/texts.ts";
import { cancellationReason } from "#db/schema/cancellations.ts";

export type CancellationReason = (typeof cancellationReason.enumValues)[number];

export const COMMENT_LIMIT = 500;

const CONTROL_CHARACTER = /[^\P{Cc}\n\t]/u;

export const reasonForm = z
  .strictObject({
    reason: z
      .enum(cancellationReason.enumValues, "Please choose a reason from the list, or none.")
      .nullable(),
    comment: z
      .string()
      .max(COMMENT_LIMIT, { error: `Please use at most ${COMMENT_LIMIT} characters.`, abort: true })
      .refine((text) => !CONTROL_CHARACTER.test(text), "Please use letters, digits and symbols only."),
  })
  .refine(
    ({ reason, comment }) => reason !== null || hasVisibleCharacter(comment),
    "Please choose a reason or write a few words. You do not have to give a reason.",
  );
