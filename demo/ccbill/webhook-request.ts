import type { WebhookRequest } from "../stand-in/post.ts";
import type { State, WebhookEvent } from "./state.ts";

/** Another address of this machine, outside the ranges that the demo accepts. */
const FOREIGN_ADDRESS = "127.0.0.2";
const GROUP = { eventGroupType: "Subscription" };

/** CCBill signs nothing: what makes a request genuine is where it comes from. */
export function webhookRequest(
  { type, fields }: WebhookEvent,
  { url, format, isForged }: { url: string; format: State["format"]; isForged: boolean },
): WebhookRequest {
  const { clientAccnum = "", clientSubacc = "" } = fields;
  const named = { eventType: type, ...GROUP };
  const isJson = format === "json";
  return {
    // Appended as it is, even to an address that has a query of its own.
    url: `${url}?${new URLSearchParams({ clientAccnum, clientSubacc, ...named })}`,
    body: isJson ? JSON.stringify({ ...fields, ...named }) : new URLSearchParams(fields).toString(),
    headers: { "content-type": isJson ? "application/json" : "application/x-www-form-encoded" },
    ...(isForged && { from: FOREIGN_ADDRESS }),
  };
}
