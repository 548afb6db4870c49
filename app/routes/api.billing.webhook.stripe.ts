import type { ActionFunctionArgs } from "@remix-run/node";
import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { type Received, receiveEvent } from "#app/domain/billing/receive-event.server.ts";
import { readBody } from "#app/web/form-body.server.ts";
import { providerCall } from "#app/web/guards.server.ts";
import { log } from "#app/web/log.server.ts";

const LIMIT_BYTES = 256 * 1024;
/** By each web process, counted from where an event has arrived whole: who sends slowly takes nobody's place. */
const places = bulkhead(50);
/** The provider has a rhythm of its own, of minutes at first. */
const BUSY_SECONDS = "5";
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
  const text = new TextDecoder().decode(body);
  const received = await places.execute(() => receiveEvent(text, request.headers)).catch(toBusy);
  if (received === "busy") {
    log.warn({ requestId, what: "busy" }, "billing event refused");
    return new Response(null, { status: 503, headers: { "Retry-After": BUSY_SECONDS } });
  }
  const status = STATUS[received.what];
  // Of what is stored its job tells what came of it.
  if (status !== 200) log.warn({ requestId, ...received }, "billing event refused");
  else if (received.what !== "stored") log.info({ requestId, ...received }, "billing event not needed");
  return new Response(null, { status });
}

function toBusy(error: unknown): "busy" {
  if (error instanceof BulkheadRejectedError) return "busy";
  throw error;
}
