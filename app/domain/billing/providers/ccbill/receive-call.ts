import { createHash } from "node:crypto";
import { isWithin } from "#app/config/addresses.ts";
import { isSameSecret } from "#app/domain/keys/keys.server.ts";
import type { CallRefusal, EventSubject, ProviderCall, ReceivedCall } from "../contract/events.ts";
import { ourId, type ToldFact } from "../contract/facts.ts";
import { parseArizonaTime } from "./arizona-time.ts";
import { type Fields, readCallFields } from "./call-fields.ts";
import { factsOf } from "./event-facts.ts";
import { CCBILL, type CcbillSettings } from "./settings.ts";

/**
 * CCBill signs nothing: a call is genuine if it comes from CCBill's addresses and knows the token of the path. Of its
 * content only facts are kept, and neither names nor addresses of persons.
 */
export function receiveCcbillCall(call: ProviderCall, settings: CcbillSettings): ReceivedCall {
  const refused = refusalOf(call, settings);
  if (refused !== null) return { refused };
  const fields = readCallFields(call);
  const type = fields?.get("eventType") ?? "";
  if (fields === null || !/^\w{1,64}$/.test(type)) return { refused: "form" };
  if (fields.get("clientAccnum") !== settings.clientAccnum) return { refused: "account" };
  const happenedAt = parseArizonaTime(fields.get("timestamp") ?? "") ?? call.at;
  // A subaccount is a site.
  const isOtherSite = fields.get("clientSubacc") !== settings.clientSubacc;
  const facts = isOtherSite ? [] : factsOf(type, fields, happenedAt);
  return {
    event: {
      id: eventId(type, fields),
      type,
      createdAt: happenedAt,
      subject: subjectOf(facts ?? []),
      customerId: null,
      isOtherSite,
      isUnknown: facts === null,
    },
    facts: facts ?? [],
  };
}

function refusalOf({ from, token }: ProviderCall, settings: CcbillSettings): CallRefusal | null {
  if (!isWithin(settings.webhookRanges, from)) return "address";
  return isSameSecret(token ?? "", settings.webhookToken) ? null : "token";
}

/** CCBill's events have no ids, so that ours is made from what tells two of them apart. */
function eventId(type: string, fields: Fields): string {
  const amount = fields.get("amount") ?? fields.get("billedAmount") ?? fields.get("billedInitialPrice");
  const named = ["subscriptionId", "transactionId", "timestamp"].map((name) => fields.get(name));
  const text = [type, ...named, amount].map((part) => part ?? "").join("\n");
  return ourId(CCBILL, createHash("sha256").update(text).digest("hex"));
}

function subjectOf(facts: ToldFact[]): EventSubject | null {
  const [first] = facts;
  if (first === undefined) return null;
  if (first.kind !== "saleFailed") return { kind: "facts", id: first.subscriptionId };
  return first.checkoutId === null ? null : { kind: "checkout", id: first.checkoutId };
}
