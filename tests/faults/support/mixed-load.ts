import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { paths } from "#app/paths.ts";
import { createCreator, createPhotoSet, createVideo, type TestMedia } from "#tests/support/media.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import type { LoadRequest } from "./steady-load.ts";

/** Each may write sixty times a minute. */
const MEMBERS = 20;
const VIDEOS = 6;
const WEBHOOK_SECRET = "whsec_mixedload";

/** The settings of a site that this load is sent to: its visitors come from addresses of their own. */
export const MIXED_LOAD_ENV = {
  TRUST_PROXY: "1",
  STRIPE_SECRET_KEY: "sk_test_mixedload",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_URL: "http://127.0.0.1:1",
  // Other tests keep the database busy; at full length nothing else runs.
  DATABASE_TIMEOUT_MS: "30000",
};

/**
 * Creates media and members, and returns the requests of their visits: of twenty, twelve for pages, four for parts of
 * files, two that write, one of the account and one event of the payment provider.
 */
export async function createMixedLoad(): Promise<(index: number) => LoadRequest> {
  const creator = await createCreator({ withFiles: true });
  const videos: TestMedia[] = [];
  for (let index = 0; index < VIDEOS; index += 1) {
    videos.push(await createVideo({ withFiles: true, creators: [creator.id], tags: ["Silk"] }));
  }
  const set = await createPhotoSet({ withFiles: true, creators: [creator.id] });
  const cookies: string[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const { id } = await createMember();
    await subscribe(id);
    cookies.push(await signedInCookie(id));
  }
  const pages = [
    "/",
    paths.list("video"),
    paths.list("photoSet"),
    paths.creator(creator.slug),
    paths.media("photoSet", set.slug),
    ...videos.map(({ slug }) => paths.media("video", slug)),
    paths.favorites(),
  ];
  const visitor = (member: number) => ({
    cookie: cookies[member] ?? "",
    "x-forwarded-for": `198.51.100.${member + 1}`,
  });
  // A favorite is marked in one round and removed in the next: only what was marked can be removed.
  const favorite = (pair: number, isFavorited: boolean) => {
    const fields = { mediaId: videos[pair % VIDEOS]?.id ?? "", isFavorited: `${isFavorited}` };
    return form(paths.api.favorites(), fields, visitor(pair % MEMBERS));
  };
  return (index) => {
    const round = Math.floor(index / 20);
    const member = (index + round) % MEMBERS;
    const headers = visitor(member);
    const { id: mediaId = "" } = videos[(index + round) % VIDEOS] ?? {};
    const kind = index % 20;
    if (kind < 12) return { path: pages[(index + round) % pages.length] ?? "/", headers };
    if (kind < 16)
      return { path: paths.mediaFile(mediaId, "video-360.mp4"), headers: { ...headers, range: "bytes=0-2" } };
    if (kind === 16) return favorite(Math.floor(round / 2), round % 2 === 0);
    if (kind === 17) return form(paths.api.views(), { mediaId, progress: `${(round % 500) + 5}` }, headers);
    return kind === 18 ? { path: paths.account(), headers } : event();
  };
}

function form(path: string, fields: Record<string, string>, headers: Record<string, string>): LoadRequest {
  return {
    path,
    method: "POST",
    headers: {
      ...headers,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
  };
}

function event(): LoadRequest {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "product.created",
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: "prod_other", object: "product" } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET });
  return {
    path: paths.api.billingWebhook(),
    method: "POST",
    headers: { "stripe-signature": signature },
    body,
  };
}
