import { z } from "zod";
import { asciiAddress, readAddress } from "#app/config/mail-addresses.ts";
import { hasVisibleCharacter, MAX_ADDRESS_LENGTH, MAX_CODE_LENGTH } from "#app/texts.ts";

const INCOMPLETE = "Please type one complete email address, like you@example.com.";
const CANNOT_SEND =
  "Please use an email address with plain Latin letters, digits and symbols before the @. We cannot send email to other addresses.";
export const NO_CODE = "Please type the code from the email.";
const MAX_OTHER_LENGTH = 2_048;

export const CODE_ERRORS = {
  invalid: "That is not the code we sent. Please check the newest email and try again.",
  tooManyTries: "This code has been used, has expired or was tried too often. Please ask for a new one.",
};

/** Returns the address in lower case. `next` is unchecked: do not redirect to it as it is. */
export const signInForm = z.object({
  email: z
    .string(INCOMPLETE)
    .max(MAX_ADDRESS_LENGTH, { error: INCOMPLETE, abort: true })
    .transform((typed, context) => {
      const address = readAddress(typed);
      if (address !== null) return address;
      context.addIssue(isAsciiBeforeAt(typed) ? INCOMPLETE : CANNOT_SEND);
      return z.NEVER;
    }),
  next: z.string().max(MAX_OTHER_LENGTH, { abort: true }).optional(),
  /** The plan that a signed-out visitor has chosen. */
  plan: z.string().max(MAX_OTHER_LENGTH, { abort: true }).optional(),
  /** Honeypot: hidden from people. Password managers do not fill in a field of this name. */
  leaveEmpty: z.string().max(MAX_OTHER_LENGTH, { abort: true }).optional(),
});

export const codeForm = z.object({
  code: z
    .string(NO_CODE)
    .max(MAX_CODE_LENGTH, { error: NO_CODE, abort: true })
    .refine(hasVisibleCharacter, NO_CODE),
});

function isAsciiBeforeAt(typed: string): boolean {
  return /^[^@]*$|^\p{ASCII}*@/u.test(asciiAddress(typed));
}
