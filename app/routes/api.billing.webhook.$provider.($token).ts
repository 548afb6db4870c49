import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { receiveEvent } from "#app/domain/billing/events/receive-event.server.ts";
import { log } from "#app/log.server.ts";
import { BODY_LIMITS, readBody } from "#app/web/forms/form-body.server.ts";
import { countRefusedEvent } from "#app/web/metrics/process-metrics.server.ts";
import { clientAddress } from "#app/web/request/client-address.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { requireProviderCall } from "#app/web/session/guards.server.ts";

/** Per web process. An event counts once its body has arrived, so slow senders hold none back. */
const receiving = bulkhead(50);

/** Some providers send events as a GET. */
export function loader({ request, params }: LoaderFunctionArgs) {
  requireProviderCall(request, params.provider ?? "");
  return receive(request, params);
}

export function action({ request, params }: ActionFunctionArgs) {
  requireProviderCall(request, params.provider ?? "");
  return receive(request, params);
}

async function receive(request: Request, { provider = "", token }: LoaderFunctionArgs["params"]) {
  const requestId = request.headers.get("x-request-id");
  const refuse = (why: string) => {
    countRefusedEvent(provider, why);
    log.warn({ requestId, provider, why }, "billing event refused");
  };
  const sent = await readBody(request, BODY_LIMITS.event).catch((error: unknown) => {
    if (error instanceof Response) refuse("oversized");
    throw error;
  });
  const { method, headers } = request;
  const url = new URL(request.url);
  const body = new TextDecoder().decode(sent);
  const call = { method, url, headers, body, from: clientAddress(request), token: token ?? null };
  const received = await receiving.execute(() => receiveEvent(provider, call)).catch(busyOrThrow);
  if (received === "busy") {
    refuse("busy");
    return new Response(null, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.busy) });
  }
  if (received === null) throw new Response("Not Found", { status: 404 });
  const { answer, ...outcome } = received;
  if (outcome.what === "refused") refuse(outcome.why);
  // A stored event is not logged here, because its job logs the result.
  else if (outcome.what !== "stored") log.info({ requestId, ...outcome }, "billing event not needed");
  return new Response(answer.body, { status: answer.status });
}

function busyOrThrow(error: unknown): "busy" {
  if (error instanceof BulkheadRejectedError) return "busy";
  throw error;
}
