import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { answerUpload } from "#app/adapters/tus.server.ts";
import { requireUploader } from "#app/web/session/guards.server.ts";
import { keepSessionAlive } from "#app/web/session/keep-session-alive.server.ts";

const PIECE_STORED = 204;

/** HEAD says how much of a file has arrived. GET would give the raw file to whoever is signed in. */
export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireUploader(request);
  return answer(request, member.user.id);
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireUploader(request);
  return answer(request, member.user.id);
}

/** A long upload may be the only use of a session for hours. */
async function answer(request: Request, userId: string): Promise<Response> {
  const response = await answerUpload(request, userId);
  if (response.status === PIECE_STORED) await keepSessionAlive(request, response.headers);
  return response;
}
