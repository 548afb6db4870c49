import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findPayUrl } from "#app/domain/billing/checkout/purchase-outcome.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

/** Needed because the payment pages of some providers cannot be closed: this address no longer leads there once the purchase is over. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { user } = await requireMember(request);
  const checkout = params.checkout ?? "";
  const url = await findPayUrl(user.id, checkout);
  return redirect(url ?? paths.subscribeReturn(checkout));
}
