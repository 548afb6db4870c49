import { requestDeletion } from "#app/domain/account/request-deletion.server.ts";
import { NO_CONTACT } from "#app/texts.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { hasTick } from "./form-body.server.ts";

const NOT_TICKED = "Please tick the box if you really want to delete your account.";
/** A member who is still charged needs the account to end the charges, and a site needs its owner. */
const REFUSED = {
  unreachable: {
    error:
      "Your subscription has to end first, but we could not reach the payment provider. Nothing was deleted. Please try again in a minute.",
    status: 503,
  },
  openPurchase: {
    error:
      "You have just started a purchase in another tab. Nothing was deleted. If you try again, that purchase is closed too.",
    status: 409,
  },
  unknownToProvider: {
    // The owner can change the address while the site runs.
    get error() {
      return `Your subscription has to end first, and only we can end it: you bought it through a payment account that this site no longer uses. Nothing was deleted. Please write to ${siteFacts.contactEmail || NO_CONTACT}.`;
    },
    status: 409,
  },
  lastOwner: {
    error:
      "You are the only owner of this site, and it needs one. Nothing was deleted. First make somebody else an owner, in the studio under Staff.",
    status: 409,
  },
};

export async function closeAccount(
  userId: string,
  form: FormData,
): Promise<{ error: string; status: number } | null> {
  if (!hasTick(form)) return { error: NOT_TICKED, status: 422 };
  const outcome = await requestDeletion(userId);
  return outcome === "requested" ? null : REFUSED[outcome];
}
