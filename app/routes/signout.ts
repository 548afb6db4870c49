import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { paths } from "#app/paths.ts";
import { endSession } from "#app/web/end-session.server.ts";
import { anyone } from "#app/web/guards.server.ts";

/** A link elsewhere must not be able to sign anybody out, so a GET only shows the way. */
export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  return redirect(paths.account());
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  return redirect(paths.signIn(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}
