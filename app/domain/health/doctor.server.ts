import { isSignatureOf, signText } from "#app/domain/keys/keys.server.ts";

/** A request as the site saw it, sent by `npm run doctor`, which sends no forwarding headers of its own. */
export interface SeenRequest {
  isForwarded: boolean;
  /** The number of addresses in X-Forwarded-For, one for each proxy; none from a peer that is not trusted. */
  proxies: number;
  peer: string;
  isTrusted: boolean;
  /** Another proxy, further out, that TRUST_PROXY does not name. */
  unnamed: string | null;
}

export const DOCTOR_HEADER = "x-doctor";
export const DOCTOR_KEY = signText("doctor", "key");

export function isDoctorKey(given: string): boolean {
  return isSignatureOf("doctor", "key", given);
}
