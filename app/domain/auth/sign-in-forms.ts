import { z } from "zod";
import { MAX_ADDRESS_LENGTH, parseAddress } from "#app/domain/mail/address.ts";

const INCOMPLETE = "Please type one complete address, like you@example.com.";
const NO_CODE = "Please type the code from the mail.";
const MAX_CODE_LENGTH = 40;
const MAX_OTHER_LENGTH = 2_048;

/** Returns the address in lower case. `next` is unchecked: do not redirect to it as it is. */
export const signInForm = z.object({
  email: z
    .string(INCOMPLETE)
    .max(MAX_ADDRESS_LENGTH, { error: INCOMPLETE, abort: true })
    .transform((typed, context) => {
      const address = parseAddress(typed);
      if (address !== null) return address;
      context.addIssue(INCOMPLETE);
      return z.NEVER;
    }),
  next: z.string().max(MAX_OTHER_LENGTH, { abort: true }).optional(),
  /** Honeypot: hidden from people. Its name is no part of an identity, so that password managers leave it alone. */
  leaveEmpty: z.string().max(MAX_OTHER_LENGTH, { abort: true }).optional(),
});

export const codeForm = z.object({
  code: z.string(NO_CODE).max(MAX_CODE_LENGTH, { error: NO_CODE, abort: true }).trim().min(1, NO_CODE),
});
