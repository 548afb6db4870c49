export type MediaType = "video" | "photoSet";
/** The purpose of a cookie that a browser has not kept. */
export type CookieUse = "gate" | "mail" | "link" | "colors";
/** A change of the progress in one media item. */
export type ViewsAction = "start-over" | "seen" | "hide" | "forget";
/** The people as whom the staff can look at a page: `?as=`. */
export const VIEW_AS = ["visitor", "member", "subscriber"] as const;
export type ViewAs = (typeof VIEW_AS)[number];
type Query = Record<string, string | number | undefined>;

export const paths = {
  home: () => "/",
  enter: (next?: string) => withQuery("/enter", { next }),
  /** Looks whether a cookie came back, then goes on to `next`. */
  noCookies: (use: CookieUse, next: string) => withQuery("/no-cookies", { for: use, next }),
  creators: (query?: Query) => withQuery("/creators", query),
  creator: (slug: string, query?: Query) => withQuery(`/creators/${slug}`, query),
  list: (type: MediaType, query?: Query) => withQuery(`/content/${type}`, query),
  media: (type: MediaType, slug: string, query?: Query) => withQuery(`/content/${type}/${slug}`, query),
  photo: (slug: string, number: number, query?: Query) =>
    withQuery(`/content/photoSet/${slug}/${number}`, query),
  /** Lists what the lightbox shows. */
  photoList: (slug: string, query?: Query) => withQuery(`/content/photoSet/${slug}/photos.json`, query),
  subscribe: (query?: Query) => withQuery("/subscribe", query),
  subscribeReturn: (checkout: string, query?: Query) =>
    withQuery("/subscribe/return", { checkout, ...query }),
  subscribeCancelled: () => "/subscribe/cancelled",
  portal: () => "/subscribe/portal",
  /** Ends a subscription: the link in every billing mail; without a query it explains how. */
  cancel: (query?: Query) => withQuery("/cancel", query),
  /** Withdraws from a contract: with a mail's query, or for the signed-in viewer. */
  withdraw: (query?: Query) => withQuery("/withdraw", query),
  signIn: (next?: string) => withQuery("/signin", { next }),
  /** The sign-in page, which says so. */
  signedOut: (where: "here" | "everywhere") => withQuery("/signin", { signedOut: where }),
  /** The sign-in page after a form of the studio or the account, which says that nothing was saved. */
  signInUnsaved: (next: string) => withQuery("/signin", { next, unsaved: "yes" }),
  signInVerify: (query?: Query) => withQuery("/signin/verify", query),
  signInCode: (query?: Query) => withQuery("/signin/code", query),
  signOut: () => "/signout",
  outbox: () => "/outbox",
  account: (query?: Query) => withQuery("/user/account", query),
  /** The part of the account's page about the subscription. */
  subscription: (query?: Query) => `${withQuery("/user/account", query)}#subscription`,
  accountAction: (
    name: "avatar-removal" | "devices" | "sign-out-everywhere" | "export" | "subscription",
    query?: Query,
  ) => withQuery(`/user/account/${name}`, query),
  /** Signs in anew for a step, then goes on to it; `next` is a page of the studio. */
  confirm: (stepUp: string, next?: string) => withQuery("/user/confirm", { for: stepUp, next }),
  /** Undoes an account deletion with a mail's query; without one it explains how. */
  keepAccount: (query?: Query) => withQuery("/keep-account", query),
  favorites: (query?: Query) => withQuery("/user/favorites", query),
  history: (query?: Query) => withQuery("/user/history", query),
  studio: () => "/studio",
  studioMedia: (query?: Query) => withQuery("/studio/media", query),
  studioItem: (mediaId: string, query?: Query) => withQuery(`/studio/media/${mediaId}`, query),
  /** Fetches an original: that of a photo by its number, or 1 for a video's. */
  studioOriginal: (mediaId: string, number: number) => `/studio/media/${mediaId}/originals/${number}`,
  /** How far the files of a video are. */
  studioEncoding: (mediaId: string) => `/studio/media/${mediaId}/encoding`,
  /** Previews a change of many items with the choice as query, and shows how it goes with its id. */
  studioBulk: (query?: Query) => withQuery("/studio/media/bulk", query),
  studioUpload: (query?: Query) => withQuery("/studio/upload", query),
  /** One upload by its id; without one, for those that begin. */
  studioUploadFiles: (uploadId?: string) =>
    `/studio/upload/files${uploadId === undefined ? "" : `/${uploadId}`}`,
  /** The list of the page for its script. */
  studioUploadNews: () => "/studio/upload/news",
  /** The form of browsers without JavaScript. */
  studioUploadForm: () => "/studio/upload/form",
  studioCreators: (query?: Query) => withQuery("/studio/creators", query),
  studioCreator: (creatorId: string, query?: Query) => withQuery(`/studio/creators/${creatorId}`, query),
  studioTags: (query?: Query) => withQuery("/studio/tags", query),
  studioTag: (tagId: string, query?: Query) => withQuery(`/studio/tags/${tagId}`, query),
  /** Says what merging two creators or tags would do. */
  studioMerge: (query?: Query) => withQuery("/studio/names/merge", query),
  /** How far a change of a name is. */
  studioNameChange: (changeId: string) => `/studio/names/${changeId}`,
  studioStaff: (query?: Query) => withQuery("/studio/staff", query),
  studioSettings: (query?: Query) => withQuery("/studio/settings", query),
  studioAudit: (query?: Query) => withQuery("/studio/audit", query),
  privacy: () => "/privacy",
  terms: () => "/terms",
  about: () => "/about",
  records: () => "/2257",
  /** Opens a draft to whoever has the link. */
  draft: (token: string) => `/draft/${token}`,
  /** The first files of an item have version 0, which is not in their addresses. */
  mediaFile: (mediaId: string, name: string, version = 0) =>
    version === 0 ? `/media/${mediaId}/${name}` : `/media/${mediaId}/${version}/${name}`,
  /** Names the playlists of a video's ladder. */
  mediaMaster: (mediaId: string) => `/media/${mediaId}/master.m3u8`,
  /** All photos of a set, as it was when its hash was this. */
  mediaArchive: (mediaId: string, hash?: string) => withQuery(`/media/${mediaId}/photos.zip`, { v: hash }),
  creatorFile: (creatorId: string, name: string) => `/media/creators/${creatorId}/${name}`,
  avatar: (userId: string, version: string) => `/media/avatars/${userId}/${version}.webp`,
  /** A picture of the site itself: its logo, icon or share picture. */
  siteFile: (version: string, name: string) => `/site/${version}/${name}`,
  api: {
    auth: () => "/api/auth",
    views: () => "/api/views",
    viewsAction: (name: ViewsAction | "forget-all") => `/api/views/${name}`,
    favorites: () => "/api/favorites",
    live: () => "/api/live",
    colorMode: () => "/api/color-mode",
    billingWebhook: () => "/api/billing/webhook/stripe",
  },
  healthz: () => "/healthz",
  readyz: () => "/readyz",
} as const;

/** Leaves out empty values, so that equal states have equal URLs. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** The id of the part of a page to which the form of a photo's favorite leads back. `number`: the one that the photo keeps. */
export function photoAnchor(mediaId: string, number: number): string {
  return `photo-${mediaId}-${number}`;
}

/** A page of a large set is drawn as fast as that of a small one. */
export const PHOTOS_A_PAGE = 100;

/** The query of a page of the grid, counted from 1. */
export function gridPageQuery(page: number) {
  return { page: page === 1 ? undefined : page };
}

/** The query of the page with the photo that has this index among those that a person may see. */
export function gridPageAt(index: number) {
  return gridPageQuery(Math.floor(Math.max(index, 0) / PHOTOS_A_PAGE) + 1);
}
