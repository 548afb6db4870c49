import { LRUCache } from "lru-cache";
import { waitText } from "#app/counts.ts";
import { isKnownBrowser } from "#app/domain/auth/known-browsers.server.ts";
import { type LimitName, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { parseSearch } from "#app/domain/catalog/lists/list-filters.ts";
import { log } from "#app/log.server.ts";
import { readBrowserHash } from "./browser-id.server.ts";
import { clientAddress, limitKey, networkOf, widerNetworks } from "./client-address.server.ts";
import { isShownAsPage, plainPage } from "./plain-page.server.ts";
import { retryAfter, setRetryAfter } from "./retry-after.ts";
import { countRefusedSearch } from "./search-floods.server.ts";

/** A browser that has signed in with this address has its own quota, so strangers cannot use up a member's emails. */
export async function limitSignInMail(request: Request, email: string): Promise<{ isFromReserve: boolean }> {
  const browserHash = await readBrowserHash(request);
  if (browserHash !== null && (await isKnownBrowser(email, browserHash))) {
    await limit("mailByKnownBrowser", `${email} ${browserHash}`);
    return { isFromReserve: false };
  }
  await limitConnection("mail", request);
  await limit("mailByAddress", email);
  return { isFromReserve: !(await takeNewcomersMail(request)) };
}

/** One network cannot use up what is left for all newcomers; its members still have the reserve. */
async function takeNewcomersMail(request: Request): Promise<boolean> {
  const network = networkOf(clientAddress(request));
  if (network !== null && (await takePoint("mailByNetwork", network)) !== null) return false;
  return (await takePoint("mailByEverybody", "all")) === null;
}

export async function limitVerify(request: Request): Promise<void> {
  await limitConnection("verify", request);
}

/** Needs no viewer, so it can run beside the guard. */
export async function limitSearch(request: Request): Promise<void> {
  if (parseSearch(new URL(request.url).searchParams.get("q")) === null) return;
  const key = clientKey(request);
  await limit("searchByClient", key, { onRefusal: (seconds) => countRefusedSearch(key, seconds) });
}

/** Pieces of a file and progress come often and must leave room for what a member presses. */
export type ChangesLimit = "writesByUser" | "piecesByUser" | "progressByUser";

export async function limitChanges(userId: string, name: ChangesLimit = "writesByUser"): Promise<void> {
  await limit(name, userId);
}

export async function limitPictures(userId: string): Promise<void> {
  await limit("picturesByUser", userId);
}

export async function limitItemFiles(userId: string): Promise<void> {
  await limit("itemFilesByUser", userId);
}

export async function limitAlarmTests(userId: string): Promise<void> {
  await limit("alarmTestsByUser", userId);
}

/** A browser without JavaScript gets a plain page, and a script gets JSON. */
export async function limitChangesWithoutPage(
  request: Request,
  userId: string,
  name: ChangesLimit = "writesByUser",
): Promise<void> {
  const onRefusal = (seconds: number) => {
    if (!isShownAsPage(request)) return;
    const sentence = `There were too many tries in a short time. Please go back, wait ${waitText(seconds)}, then try again.`;
    const page = plainPage(429, "Too many tries", sentence);
    setRetryAfter(page.headers, seconds);
    throw page;
  };
  await limit(name, userId, { onRefusal });
}

/** Needed because each segment of a player cost a statement: decision 177. */
const PACE = { segments: 12, ms: 10_000, maxViewers: 20_000 };

const recentSegments = new LRUCache<string, number>({ max: PACE.maxViewers, ttl: PACE.ms });

/** Uncounted when the database cannot write, and for segments at the pace of a player. */
export async function isOverRangeLimit(
  request: Request,
  userId: string | undefined,
  isSegment = false,
): Promise<boolean> {
  if (!request.headers.has("range")) return false;
  const key = userId ?? clientKey(request);
  if (isSegment && isAtPace(key)) return false;
  try {
    return (await takePoint("rangesByViewer", key)) !== null;
  } catch (error) {
    log.warn({ err: error }, "a part of a file is not counted");
    return false;
  }
}

function isAtPace(key: string): boolean {
  const segments = (recentSegments.get(key) ?? 0) + 1;
  recentSegments.set(key, segments, { noUpdateTTL: true });
  return segments <= PACE.segments;
}

/** Uncounted when the database cannot write. */
export async function limitExport(request: Request, userId: string): Promise<void> {
  try {
    await limitChangesWithoutPage(request, userId);
  } catch (refusal) {
    if (refusal instanceof Response) throw refusal;
    log.warn({ err: refusal }, "an export is not counted");
  }
}

export async function limitPayments(userId: string): Promise<void> {
  await limit("paymentsByUser", userId);
}

interface LimitOptions {
  onRefusal?: (seconds: number) => void;
  /** Several people may share the key, and the page says so. */
  isShared?: boolean;
}

async function limit(
  name: LimitName,
  key: string,
  { onRefusal = () => {}, isShared = false }: LimitOptions = {},
): Promise<void> {
  const retryAfterSeconds = await takePoint(name, key);
  if (retryAfterSeconds === null) return;
  onRefusal(retryAfterSeconds);
  // Not data(): from a resource route it would arrive with status 200.
  throw Response.json(
    { retryAfterSeconds, isShared },
    { status: 429, headers: retryAfter(retryAfterSeconds) },
  );
}

/** Many IPv6 addresses are cheap to rent, but they share a network. */
async function limitConnection(what: "mail" | "verify", request: Request): Promise<void> {
  const isShared = true;
  await limit(`${what}ByClient`, clientKey(request), { isShared });
  const wider = widerNetworks(clientAddress(request));
  if (wider === null) return;
  await limit(`${what}ByNet56`, wider.net56, { isShared });
  await limit(`${what}ByNet48`, wider.net48, { isShared });
}

function clientKey(request: Request): string {
  return limitKey(clientAddress(request));
}
