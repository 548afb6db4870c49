import { z } from "zod";
import { parseAddress } from "#app/domain/mail/address.ts";

const INCOMPLETE = "Please type one complete address, like you@example.com.";
const NO_CODE = "Please type the code from the mail.";

/** Gives the address in lower case. `next` is whatever the form says, so not to be followed as it is. */
export const signInForm = z.object({
  email: z.string(INCOMPLETE).transform((typed, context) => {
    const address = parseAddress(typed);
    if (address !== null) return address;
    context.addIssue(INCOMPLETE);
    return z.NEVER;
  }),
  next: z.string().optional(),
  /** Out of people's sight, so only a program fills it. */
  website: z.string().optional(),
});

export const codeForm = z.object({ code: z.string(NO_CODE).trim().min(1, NO_CODE) });
