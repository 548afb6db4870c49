import { type LimitName, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { clientAddress, limitKey } from "./client-address.server.ts";
import { isShownAsPage, plainPage } from "./plain-page.server.ts";

/** Each throws a 429 with Retry-After when there were too many. */
export async function limitSignInMail(request: Request, email: string): Promise<void> {
  await limit("mailByClient", clientKey(request));
  await limit("mailByAddress", email);
  await limit("mailByEverybody", "all");
}

export async function limitVerify(request: Request): Promise<void> {
  await limit("verifyByClient", clientKey(request));
}

export async function limitSearch(request: Request): Promise<void> {
  await limit("searchByClient", clientKey(request));
}

export async function limitWrites(userId: string): Promise<void> {
  await limit("writesByUser", userId);
}

/** For addresses without a page of their own: a browser without script is told in words, a script in JSON. */
export async function limitFormWrites(request: Request, userId: string): Promise<void> {
  try {
    await limitWrites(userId);
  } catch (refusal) {
    if (!(refusal instanceof Response) || !isShownAsPage(request)) throw refusal;
    const seconds = refusal.headers.get("Retry-After") ?? "60";
    const sentence = `There were too many tries in a short time. Please go back, wait ${seconds} seconds, then try again.`;
    const page = plainPage(429, "Too many tries", sentence);
    page.headers.set("Retry-After", seconds);
    throw page;
  }
}

/** What asks the payment provider. */
export async function limitPayments(userId: string): Promise<void> {
  await limit("paymentsByUser", userId);
}

async function limit(name: LimitName, key: string): Promise<void> {
  const retryAfterSeconds = await takePoint(name, key);
  if (retryAfterSeconds === null) return;
  // Not data(): thrown from a resource route it would arrive with the status 200.
  throw Response.json(
    { retryAfterSeconds },
    { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}

function clientKey(request: Request): string {
  return limitKey(clientAddress(request));
}
