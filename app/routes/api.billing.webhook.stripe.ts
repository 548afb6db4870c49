import type { ActionFunctionArgs } from "@remix-run/node";
import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { type Received, receiveEvent } from "#app/domain/billing/events/receive-event.server.ts";
import { log } from "#app/log.server.ts";
import { BODY_LIMITS, readBody } from "#app/web/forms/form-body.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { requireProviderCall } from "#app/web/session/guards.server.ts";

/** Per web process. An event counts once its body has arrived, so slow senders hold none back. */
const receiving = bulkhead(50);
/** Events of other sites are accepted too: otherwise the provider would resend them for days. */
const STATUS: Record<Received["what"], number> = {
  stored: 200,
  known: 200,
  ignored: 200,
  otherSite: 200,
  badSignature: 400,
  noProvider: 404,
};

export async function action({ request }: ActionFunctionArgs) {
  requireProviderCall(request);
  const requestId = request.headers.get("x-request-id");
  const body = await readBody(request, BODY_LIMITS.event).catch((error: unknown) => {
    if (error instanceof Response) log.warn({ requestId, what: "oversized" }, "billing event refused");
    throw error;
  });
  const text = new TextDecoder().decode(body);
  const received = await receiving.execute(() => receiveEvent(text, request.headers)).catch(busyOrThrow);
  if (received === "busy") {
    log.warn({ requestId, what: "busy" }, "billing event refused");
    return new Response(null, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.busy) });
  }
  const status = STATUS[received.what];
  // A stored event is not logged here, because its job logs the result.
  if (status !== 200) log.warn({ requestId, ...received }, "billing event refused");
  else if (received.what !== "stored") log.info({ requestId, ...received }, "billing event not needed");
  return new Response(null, { status });
}

function busyOrThrow(error: unknown): "busy" {
  if (error instanceof BulkheadRejectedError) return "busy";
  throw error;
}
