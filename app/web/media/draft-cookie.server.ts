import { DAY_MS } from "#app/dates.ts";
import { DRAFT_LINK_DAYS, isOpenByDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { UUID } from "#app/texts.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

const NAME = "draft";
/** Browsers send all of them with every request, and its head is limited. */
const MAX_DRAFTS = 8;
const draftCookie = signedCookie(NAME, (DRAFT_LINK_DAYS * DAY_MS) / 1000);

/** Tokens by the ids of their media, the newest last. */
type Drafts = Record<string, string>;

export async function serializeDraft(request: Request, mediaId: string, token: string): Promise<string> {
  const others = Object.entries(await readDrafts(request)).filter(([id]) => id !== mediaId);
  return draftCookie.serialize(Object.fromEntries([...others, [mediaId, token]].slice(-MAX_DRAFTS)));
}

export async function hasDraftLink(request: Request, mediaId: string): Promise<boolean> {
  // The id comes from the URL and may be a name that every object inherits, such as "constructor".
  if (!UUID.test(mediaId)) return false;
  const token = (await readDrafts(request))[mediaId];
  return token !== undefined && isOpenByDraftLink(mediaId, token);
}

async function readDrafts(request: Request): Promise<Drafts> {
  const value: unknown = await draftCookie.parse(request.headers.get("Cookie"));
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, token]) => typeof token === "string"));
}
