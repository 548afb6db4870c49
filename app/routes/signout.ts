import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { paths } from "#app/paths.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { endSession } from "#app/web/session/session-cookie.server.ts";

/** Another site could link here, so a GET signs nobody out. */
export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  return redirect(paths.account());
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  return redirect(paths.signedOut("here"), {
    status: 303,
    headers: { "Set-Cookie": await endSession(request) },
  });
}
