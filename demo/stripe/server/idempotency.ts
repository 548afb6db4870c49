import { createHash } from "node:crypto";
import type { Account } from "../state/account.ts";
import { Fault } from "../state/fault.ts";
import type { KeptAnswer } from "../state/state.ts";

const KEPT_SECONDS = 24 * 3_600;
const MAX_KEPT = 20_000;

export function fingerprintOf(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("base64url");
}

/** The keys of requests in progress, each with its request's fingerprint. */
export type RunningKeys = Map<string, string>;

/** @throws {Fault} while another request uses the key, regardless of its outcome */
export function takeKey(running: RunningKeys, key: string, fingerprint: string): void {
  const other = running.get(key);
  if (other !== undefined) throw other === fingerprint ? inUse(key) : usedOtherwise(key);
  running.set(key, fingerprint);
}

/** @throws {Fault} when the key was used for a different request */
export function keptAnswer(account: Account, key: string, fingerprint: string): KeptAnswer | null {
  const kept = Object.hasOwn(account.state.answers, key) ? account.state.answers[key] : undefined;
  if (!kept) return null;
  if (kept.fingerprint === fingerprint) return kept;
  throw usedOtherwise(key);
}

export function keepAnswer(account: Account, key: string, answer: KeptAnswer): void {
  account.state.answers[key] = answer;
  forgetOld(account);
}

function forgetOld({ state }: Account): void {
  const entries = Object.entries(state.answers);
  if (entries.length < MAX_KEPT) return;
  const oldest = Date.now() / 1000 - KEPT_SECONDS;
  state.answers = Object.fromEntries(entries.slice(-MAX_KEPT / 2).filter(([, { at }]) => at > oldest));
}

function inUse(key: string): Fault {
  return new Fault(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  });
}

function usedOtherwise(key: string): Fault {
  return new Fault(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
