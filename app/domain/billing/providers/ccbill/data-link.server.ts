import { Outage, WrongSettings } from "../calls/faults.ts";
import { ProviderUnreachable } from "../contract/provider.ts";
import { endOfNamedDay, parseArizonaTime } from "./arizona-time.ts";
import { type Answer, parseAnswer } from "./parse-answer.ts";
import { type CcbillSettings, dataLinkOrigin } from "./settings.ts";

const TIMEOUT_MS = 8_000;
export const NO_ANSWER = "CCBill does not answer. Try again later.";

export interface DataLink {
  /** Null for a subscription that this account does not know. */
  readStatus(subscriptionId: string): Promise<SubscriptionState | null>;
  /** Nothing more is charged afterwards, or it throws. Cannot be undone. */
  cancel(subscriptionId: string): Promise<void>;
  /** Lines about at most 24 hours; CCBill allows one request in 60 minutes. Times are of Arizona, in digits. */
  readExtract(window: { startTime: string; endTime: string }): Promise<string>;
}

export interface SubscriptionState {
  state: "renewing" | "ending" | "over";
  /** The end of the last paid day. */
  paidUntil: Date | null;
}

const STATES: Record<string, SubscriptionState["state"]> = { "2": "renewing", "1": "ending", "0": "over" };

const LOGIN = "CCBILL_DATALINK_USER and CCBILL_DATALINK_PASSWORD";
/** From CCBill's "API Guide". */
const SETTINGS_ERRORS: Record<number, string> = {
  "-1": `CCBill rejects the login in ${LOGIN}. Correct it and restart the site.`,
  "-8": "CCBill does not answer this machine's IP address. Add it to the DataLink user at CCBill, and restart the site.",
  "-9": `CCBill has deactivated the login in ${LOGIN}, or it may not do this. Ask CCBill's support.`,
  "-10": `The login in ${LOGIN} is not set up for this account. Ask CCBill's support.`,
  "-12": `CCBill has locked the login in ${LOGIN} for an hour after three failures. Correct it and restart the site later.`,
};
const UNKNOWN = [-2, -3, -4];
const DONE = 1;
const NOT_DONE = 0;
const UNCERTAIN = -7;

export function ccbillDataLink(settings: CcbillSettings): DataLink {
  const { clientAccnum, clientSubacc, dataLinkUser: username, dataLinkPassword: password } = settings;
  const account = { clientAccnum, clientSubacc, username, password };
  // In the body, because addresses are logged.
  const ask = (path: string, question: Record<string, string>) =>
    post(new URL(path, dataLinkOrigin(settings)), new URLSearchParams({ ...account, ...question }));
  const manage = async (action: string, subscriptionId: string) => {
    const question = { action, subscriptionId, usingSubacc: clientSubacc, returnXML: "1" };
    return accepted(parseAnswer(await ask("/utils/subscriptionManagement.cgi", question)));
  };
  const readStatus = async (id: string) => {
    const answer = await manage("viewSubscriptionStatus", id);
    if ("fields" in answer) return stateOf(answer.fields);
    if (UNKNOWN.includes(answer.code)) return null;
    throw failure(answer.code);
  };
  return {
    readStatus,
    cancel: async (id) => {
      const outcome = await manage("cancelSubscription", id).catch((error: unknown) => {
        // It may have been done all the same.
        if (error instanceof Outage) return { code: UNCERTAIN };
        throw error;
      });
      const code = "code" in outcome ? outcome.code : UNCERTAIN;
      if (code === DONE) return;
      if (code !== NOT_DONE && code !== UNCERTAIN && !UNKNOWN.includes(code)) throw failure(code);
      const status = await readStatus(id);
      if (status === null)
        throw new ProviderUnreachable(
          "CCBill does not know this subscription. Does CCBILL_ACCOUNT name the account that sold it?",
        );
      if (status.state === "renewing") throw failure(code);
    },
    readExtract: async (window) => {
      const types = ["NEW", "REBILL", "REFUND", "VOID", "CHARGEBACK", "EXPIRE"].join(",");
      const text = await ask("/data/main.cgi", { ...window, transactionTypes: types });
      accepted(parseCode(text));
      return text;
    },
  };
}

async function post(url: URL, body: URLSearchParams): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { method: "POST", body, signal, redirect: "error" }).catch(() => null);
  if (answer === null) throw new Outage(NO_ANSWER);
  if (answer.status === 401 || answer.status === 403) throw failure(-1);
  const text = await answer.text().catch(() => null);
  if (!answer.ok || text === null)
    throw new Outage(`CCBill answered with an error (${answer.status}). Try again later.`);
  if (/^\s*"?Error:.*(authenti|login|password)/i.test(text)) throw failure(-1);
  return text;
}

/** The extract has a code only where it refuses. */
function parseCode(text: string): Answer {
  const answer = parseAnswer(text);
  return answer !== null && "code" in answer ? answer : { code: DONE };
}

function accepted(answer: Answer | null): Answer {
  if (answer === null) throw new Outage("CCBill's answer cannot be read. Try again later.");
  if ("code" in answer && answer.code in SETTINGS_ERRORS) throw failure(answer.code);
  return answer;
}

function failure(code: number): ProviderUnreachable {
  const wrong = SETTINGS_ERRORS[code];
  if (wrong !== undefined) return new WrongSettings(wrong);
  const message = `CCBill answered with the error ${code}. Try again later.`;
  return code === UNCERTAIN ? new Outage(message) : new ProviderUnreachable(message);
}

/** Any other status is an error, and never a guess. */
function stateOf(fields: ReadonlyMap<string, string>): SubscriptionState {
  const state = STATES[fields.get("subscriptionStatus") ?? ""];
  if (state === undefined) throw new Outage("CCBill answered with a status that is not known here.");
  const day = parseArizonaTime(fields.get(state === "renewing" ? "nextBillingDate" : "expirationDate") ?? "");
  return { state, paidUntil: day && endOfNamedDay(day) };
}
