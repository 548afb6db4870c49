import type { ActionFunctionArgs } from "@remix-run/node";
import { type Received, receiveEvent } from "#app/domain/billing/receive-event.server.ts";
import { readBody } from "#app/web/form-body.server.ts";
import { providerCall } from "#app/web/guards.server.ts";
import { log } from "#app/web/log.server.ts";

const LIMIT_BYTES = 256 * 1024;
/** What is not for us is taken all the same, or it would be sent again for days. */
const STATUS: Record<Received["what"], number> = {
  stored: 200,
  known: 200,
  ignored: 200,
  foreign: 200,
  badSignature: 400,
  noProvider: 404,
};

export async function action({ request }: ActionFunctionArgs) {
  providerCall(request);
  const requestId = request.headers.get("x-request-id");
  const body = await readBody(request, LIMIT_BYTES).catch((error: unknown) => {
    if (error instanceof Response) log.warn({ requestId, what: "oversized" }, "billing event refused");
    throw error;
  });
  const received = await receiveEvent(
    new TextDecoder().decode(body),
    request.headers.get("stripe-signature"),
  );
  const status = STATUS[received.what];
  // Of what is stored its job tells what came of it.
  if (status !== 200) log.warn({ requestId, ...received }, "billing event refused");
  else if (received.what !== "stored") log.info({ requestId, ...received }, "billing event not needed");
  return new Response(null, { status });
}
