export const MEDIA_TYPES = ["video", "photoSet"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
export type NameKind = "creator" | "tag";
/** What a lost cookie was for. */
export type CookieUse = "gate" | "mail" | "link" | "colors";
export type ViewsAction = "start-over" | "seen" | "hide" | "forget";
export const VIEW_AS = ["visitor", "member", "subscriber"] as const;
export type ViewAs = (typeof VIEW_AS)[number];
type Query = Record<string, string | number | undefined>;

export const paths = {
  home: () => "/",
  enter: (next?: string) => withQuery("/enter", { next }),
  /** Checks whether a cookie came back, then leads to `next`. */
  noCookies: (use: CookieUse, next: string) => withQuery("/no-cookies", { for: use, next }),
  creators: (query?: Query) => withQuery("/creators", query),
  creator: (slug: string, query?: Query) => withQuery(`/creators/${slug}`, query),
  list: (type: MediaType, query?: Query) => withQuery(`/content/${type}`, query),
  media: (type: MediaType, slug: string, query?: Query) => withQuery(`/content/${type}/${slug}`, query),
  photo: (slug: string, position: number, query?: Query) =>
    withQuery(`/content/photoSet/${slug}/${position}`, query),
  photoList: (slug: string, query?: Query) => withQuery(`/content/photoSet/${slug}/photos.json`, query),
  subscribe: (query?: Query) => withQuery("/subscribe", query),
  subscribeReturn: (checkout: string, query?: Query) =>
    withQuery("/subscribe/return", { checkout, ...query }),
  subscribePay: (checkout: string) => `/subscribe/pay/${checkout}`,
  subscribeCancelled: () => "/subscribe/cancelled",
  portal: () => "/subscribe/portal",
  /** The link in every billing email. Without a query it explains how. */
  cancel: (query?: Query) => withQuery("/cancel", query),
  /** With the query of an email, or for the signed-in viewer. */
  withdraw: (query?: Query) => withQuery("/withdraw", query),
  signIn: (next?: string) => withQuery("/signin", { next }),
  signedOut: (where: "here" | "everywhere") => withQuery("/signin", { signedOut: where }),
  /** Says that a form was not saved. */
  signInUnsaved: (next: string) => withQuery("/signin", { next, unsaved: "yes" }),
  signInVerify: (query?: Query) => withQuery("/signin/verify", query),
  signInCode: (query?: Query) => withQuery("/signin/code", query),
  signOut: () => "/signout",
  outbox: () => "/outbox",
  account: (query?: Query) => withQuery("/user/account", query),
  subscription: (query?: Query) => `${withQuery("/user/account", query)}#subscription`,
  accountAction: (
    name: "avatar-removal" | "devices" | "sign-out-everywhere" | "export" | "subscription",
    query?: Query,
  ) => withQuery(`/user/account/${name}`, query),
  /** `next` is a page of the studio. */
  confirm: (stepUp: string, next?: string) => withQuery("/user/confirm", { for: stepUp, next }),
  /** With the query of an email. Without one it explains how. */
  keepAccount: (query?: Query) => withQuery("/keep-account", query),
  favorites: (query?: Query) => withQuery("/user/favorites", query),
  history: (query?: Query) => withQuery("/user/history", query),
  studio: () => "/studio",
  studioMedia: (query?: Query) => withQuery("/studio/media", query),
  studioItem: (mediaId: string, query?: Query) => withQuery(`/studio/media/${mediaId}`, query),
  /** Where the overview of an item sends its forms: without "index" they would go to the frame around it. */
  studioItemForm: (mediaId: string) => `/studio/media/${mediaId}?index`,
  studioItemPart: (mediaId: string, part: string, query?: Query) =>
    withQuery(`/studio/media/${mediaId}/${part}`, query),
  /** `number`: that of a photo, or 1 for a video. */
  studioOriginal: (mediaId: string, number: number) => `/studio/media/${mediaId}/originals/${number}`,
  studioEncoding: (mediaId: string) => `/studio/media/${mediaId}/encoding`,
  /** Previews a change of many items, or shows the progress of the one with an id. */
  studioBulk: (query?: Query) => withQuery("/studio/media/bulk", query),
  studioUpload: () => "/studio/upload",
  /** Without an id, for new uploads. */
  studioUploadFiles: (uploadId?: string) =>
    `/studio/upload/files${uploadId === undefined ? "" : `/${uploadId}`}`,
  studioUploadNews: () => "/studio/upload/news",
  studioNames: (kind: NameKind, query?: Query) => withQuery(`/studio/${kind}s`, query),
  studioName: (kind: NameKind, id: string) => `/studio/${kind}s/${id}`,
  studioNamePart: (kind: NameKind, id: string, part: "portrait" | "merge" | "delete", query?: Query) =>
    withQuery(`/studio/${kind}s/${id}/${part}`, query),
  studioPlans: (query?: Query) => withQuery("/studio/plans", query),
  studioStaff: (query?: Query) => withQuery("/studio/staff", query),
  /** Without a section, the list of them. */
  studioSettings: (section?: string) => `/studio/settings${section === undefined ? "" : `/${section}`}`,
  studioAudit: (query?: Query) => withQuery("/studio/audit", query),
  privacy: () => "/privacy",
  terms: () => "/terms",
  about: () => "/about",
  records: () => "/2257",
  draft: (token: string) => `/draft/${token}`,
  /** Addresses leave out version 0. */
  mediaFile: (mediaId: string, name: string, version = 0) =>
    version === 0 ? `/media/${mediaId}/${name}` : `/media/${mediaId}/${version}/${name}`,
  mediaMaster: (mediaId: string) => `/media/${mediaId}/master.m3u8`,
  mediaArchive: (mediaId: string, hash?: string) => withQuery(`/media/${mediaId}/photos.zip`, { v: hash }),
  creatorFile: (creatorId: string, name: string) => `/media/creators/${creatorId}/${name}`,
  avatar: (userId: string, version: string) => `/media/avatars/${userId}/${version}.webp`,
  siteFile: (version: string, name: string) => `/site/${version}/${name}`,
  api: {
    auth: () => "/api/auth",
    views: () => "/api/views",
    viewsAction: (name: ViewsAction | "forget-all") => `/api/views/${name}`,
    favorites: () => "/api/favorites",
    live: () => "/api/live",
    colorMode: () => "/api/color-mode",
    /** `token`: the secret part of the path, for a provider that signs nothing. */
    billingWebhook: (provider: string, token?: string) =>
      `/api/billing/webhook/${provider}${token === undefined ? "" : `/${token}`}`,
  },
  healthz: () => "/healthz",
  readyz: () => "/readyz",
} as const;

/** Without empty values, so that equal states have equal URLs. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** `number`: the one that the photo keeps. */
export function photoAnchor(mediaId: string, number: number): string {
  return `photo-${mediaId}-${number}`;
}

export const PHOTOS_A_PAGE = 100;

/** `page` counts from 1. */
export function gridPageQuery(page: number) {
  return { page: page === 1 ? undefined : page };
}

/** `index`: among the photos that the viewer may see. */
export function gridPageAt(index: number) {
  return gridPageQuery(Math.floor(Math.max(index, 0) / PHOTOS_A_PAGE) + 1);
}
