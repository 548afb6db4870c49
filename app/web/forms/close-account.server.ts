import { requestDeletion } from "#app/domain/account/request-deletion.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { field } from "./form-body.server.ts";

const NOT_TICKED = "Please tick the box if you really want to delete your account.";
/** A member who is still charged must not lose the account that can end the charges, and the site not its owner. */
const REFUSED = {
  unreachable: {
    problem:
      "Your subscription has to end first, and the payment provider does not answer. Nothing was deleted. Please try again in a minute.",
    status: 503,
  },
  begun: {
    problem:
      "A purchase was started in another tab in the meantime. Nothing was deleted. Please try again: that closes the purchase.",
    status: 409,
  },
  unknownToProvider: {
    problem: `Your subscription has to end first, and it was sold through a payment account that this site no longer uses, which only we can reach. Nothing was deleted. Please write to ${siteFacts.contactEmail}.`,
    status: 409,
  },
  lastOwner: {
    problem:
      "You are the only owner of this site, which needs one. Nothing was deleted. Make somebody else an owner first, in the studio, under Staff.",
    status: 409,
  },
};

export async function closeAccount(
  userId: string,
  form: FormData,
): Promise<{ problem: string; status: number } | null> {
  if (field(form, "confirm") !== "yes") return { problem: NOT_TICKED, status: 422 };
  const outcome = await requestDeletion(userId);
  return outcome === "requested" ? null : REFUSED[outcome];
}
