import { paths } from "#app/paths.ts";
import type { TestMedia } from "#tests/support/media.ts";
import { itemRows } from "./item-rows.ts";
import { nameRows } from "./name-rows.ts";
import {
  hasRole,
  isAsLeft,
  isClosing,
  isSignedInOn,
  nameOf,
  PEOPLE,
  type Person,
  type Target,
} from "./people.ts";
import {
  adults,
  all,
  type Fields,
  get,
  marked,
  markedFor,
  members,
  only,
  post,
  type Row,
  staff,
  staffWith,
} from "./row.ts";

export interface Library {
  free: TestMedia;
  memberOnly: TestMedia;
  gated: TestMedia;
  set: TestMedia;
  draft: TestMedia;
  /** Rows that change the state of an item change this one. */
  changing: TestMedia;
  /** The id of a change of many items that is done. */
  bulkChange: string;
  creatorSlug: string;
  creatorId: string;
  tagId: string;
}

const SUBSCRIPTION = `${paths.account()}#subscription`;
/** No plan is for sale here. */
const PLAN = { plan: "price_unknown" };
const NO_PAGE = paths.subscribePay("00000000-0000-4000-8000-000000000000");
const NO_PURCHASE = paths.subscribeReturn("00000000-0000-4000-8000-000000000000");
const PAST_THE_GATE = PEOPLE.filter((person) => person !== "nobody" && person !== "no age proof");
/** A trailer plays for everybody. */
const OPEN_SOURCE = /<source[^>]*(?:\/(?!trailer\.)[^/"]*\.mp4|photo-2-)/;
const SIGNED_IN = PAST_THE_GATE.filter((person) => person !== "visitor");

export function listRows(library: Library): Row[] {
  return [
    ...openRows(),
    ...signInRows(),
    ...libraryRows(library),
    ...byteRows(library),
    ...viewingRows(library),
    ...accountRows(),
    ...itemRows(library),
    ...nameRows(library),
    ...studioRows(),
  ];
}

function openRows(): Row[] {
  const open = [
    "about",
    "privacy",
    "terms",
    "2257",
    "outbox",
    "healthz",
    "readyz",
    "robots.txt",
    "sitemap.xml",
  ];
  return [
    ...open.map((name) => get(`routes/${name.replace(".", "[.]")}`, `/${name}`, all("200"))),
    get("routes/$", "/nowhere", all("404")),
    post("routes/$", "/nowhere", {}, all("404")),
    // The email's link is enough: no sign-in or age gate is required.
    get("routes/cancel", paths.cancel({ subscription: "sub_x", signature: "x" }), all("200")),
    post("routes/cancel", paths.cancel({ subscription: "sub_x", signature: "x" }), {}, all("422")),
    get("routes/withdraw", paths.withdraw({ subscription: "sub_x", signature: "x" }), all("200")),
    // Signed-in people can withdraw from their own contract; nobody else has one.
    post(
      "routes/withdraw",
      paths.withdraw(),
      { intent: "withdraw" },
      { ...all("422"), ...only(["no age proof", "subscriber", "lapsed"], `303 ${paths.withdraw()}`) },
    ),
    get("routes/keep-account", paths.keepAccount({ account: "x", signature: "x" }), all("200")),
    post(
      "routes/keep-account",
      paths.keepAccount({ account: "x", signature: "x" }),
      { intent: "keep" },
      all("422"),
    ),
    get("routes/enter", "/enter?next=/about", { ...all("302 /about"), nobody: "200", "no age proof": "200" }),
    post(
      "routes/enter",
      "/enter",
      { next: "/about" },
      { ...all("302 /about"), nobody: `302 ${paths.noCookies("gate", "/about")}` },
    ),
    get("routes/no-cookies", paths.noCookies("gate", "/about"), { ...all("302 /about"), nobody: "200" }),
    // The webhook ignores cookies; without a configured provider there is no webhook.
    get("routes/api.billing.webhook.$provider.($token)", paths.api.billingWebhook("stripe"), all("404")),
    post("routes/api.billing.webhook.$provider.($token)", paths.api.billingWebhook("stripe"), {}, all("404")),
    post(
      "routes/api.color-mode",
      "/api/color-mode",
      { theme: "dark", next: "/about" },
      { ...all("303 /about"), nobody: `303 ${paths.noCookies("colors", "/about")}` },
    ),
  ];
}

function signInRows(): Row[] {
  const strangers = { nobody: "200", visitor: "200" };
  return [
    get("routes/signin", "/signin?next=/about", { ...all("302 /about"), ...strangers }),
    post(
      "routes/signin",
      "/signin",
      { email: "somebody@example.com" },
      { ...all("303 /signin/code"), nobody: `303 ${paths.noCookies("mail", paths.signInCode())}` },
    ),
    get("routes/signin_.code", "/signin/code", all("302 /signin")),
    // A browser that never requested a code is redirected to the sign-in form.
    post("routes/signin_.code", "/signin/code", { code: "00000000" }, all("302 /signin")),
    get("routes/signin_.verify", "/signin/verify?token=x", all("200")),
    post("routes/signin_.verify", "/signin/verify", { token: "x", confirm: "yes" }, all("422")),
    get("routes/signout", "/signout", all("302 /user/account")),
    post("routes/signout", "/signout", {}, all("303 /signin?signedOut=here")),
    // A browser that asks for events gets a stream, which this table could not read to its end.
    get("routes/api.live", "/api/live", {
      ...all("406"),
      ...only(["nobody", "visitor", "no age proof"], "204"),
    }),
    {
      ...post("routes/api.auth", "/api/auth", {}, { ...all("200"), nobody: "401", visitor: "401" }),
      body: () => JSON.stringify({ event: "SIGNED_IN", session: {} }),
    },
  ];
}

function libraryRows({ free, memberOnly, gated, set, draft, creatorSlug }: Library): Row[] {
  const viewable = (may: readonly Person[]) => (path: string) => ({
    ...adults(path, "200 locked"),
    ...only(may, "200 open"),
  });
  const subscribed: Person[] = ["subscriber", ...staffWith("media.seeAll")];
  const mark = (html: string) => (OPEN_SOURCE.test(html) ? "open" : "locked");
  const page = (route: string, path: string) => get(route, path, adults(path, "200"));
  const item = (route: string, path: string, may: readonly Person[]) => ({
    ...get(route, path, viewable(may)(path)),
    mark,
  });
  return [
    page("routes/_index", paths.home()),
    page("routes/creators._index", paths.creators()),
    page("routes/creators.$slug", paths.creator(creatorSlug)),
    page("routes/content.$type._index", paths.list("video", { sort: "title" })),
    page("routes/subscribe", paths.subscribe()),
    post("routes/subscribe", paths.subscribe(), PLAN, {
      ...members("/", "422"),
      visitor: `303 ${paths.signIn(paths.subscribe(PLAN))}`,
    }),
    page("routes/subscribe_.cancelled", paths.subscribeCancelled()),
    get("routes/subscribe_.return", NO_PURCHASE, members(NO_PURCHASE, "404")),
    get("routes/subscribe_.pay.$checkout", NO_PAGE, members(NO_PAGE, `302 ${NO_PURCHASE}`)),
    get("routes/subscribe_.portal", paths.portal(), members(paths.portal(), "200")),
    // No payment provider is configured here, so there is no portal.
    post("routes/subscribe_.portal", paths.portal(), {}, members("/", `303 ${SUBSCRIPTION}`)),
    item("routes/content.video.$slug", paths.media("video", free.slug), PAST_THE_GATE),
    item("routes/content.video.$slug", paths.media("video", memberOnly.slug), SIGNED_IN),
    item("routes/content.video.$slug", paths.media("video", gated.slug), subscribed),
    item("routes/content.photoSet.$slug._index", paths.media("photoSet", set.slug), subscribed),
    item("routes/content.photoSet.$slug.$n", paths.photo(set.slug, 2), subscribed),
    {
      ...item("routes/content.photoSet.$slug.photos[.]json", paths.photoList(set.slug), subscribed),
      mark: (text: string) => (/photo-2"/.test(text) ? "open" : "locked"),
    },
    get("routes/content.video.$slug", paths.media("video", draft.slug), {
      ...adults(paths.media("video", draft.slug), "404"),
      ...only(staffWith("media.seeAll"), "200"),
    }),
    get("routes/draft.$token", paths.draft("unknown"), adults(paths.draft("unknown"), "404")),
  ];
}

function viewingRows({ free, memberOnly, gated }: Library): Row[] {
  const left = async (_: string, target: Target) => ((await isAsLeft(target)) ? "kept" : "changed");
  // An attacker adds the last two fields; the session determines the row.
  const about = (fields: Record<string, string>) => (target: Target) => ({
    ...fields,
    mediaId: target.mediaId,
    userId: target.userId,
    id: target.viewId,
  });
  const change = (route: string, path: string, fields: Record<string, string> = {}, outcome = "200") =>
    marked(post(route, path, about(fields), members("/", outcome)), left, "changed");
  const page = (route: string, path: string) => get(route, path, members(path, "200"));
  const stop = ({ slug }: TestMedia) => {
    const path = paths.media("video", slug);
    return post("routes/content.video.$slug", path, { stoppedAt: "1:40" }, members("/", `303 ${path}`));
  };
  const onlyOwn = (row: Row): Row => ({
    ...row,
    expected: {
      ...row.expected,
      ...only(
        SIGNED_IN.filter((person) => person !== "member"),
        "404 kept",
      ),
    },
  });
  const onlySubscribed = (row: Row): Row => ({
    ...row,
    expected: { ...row.expected, ...only(["member", "lapsed", "other member", "records"], "403") },
  });
  const watch = { mediaId: gated.id, progress: "5" };
  return [
    page("routes/user.favorites", paths.favorites()),
    page("routes/user.history", paths.history()),
    marked(stop(free), left, "changed"),
    stop(memberOnly),
    onlySubscribed(stop(gated)),
    change("routes/api.views", paths.api.views(), { progress: "500" }),
    onlySubscribed(post("routes/api.views", paths.api.views(), watch, members("/", "200"))),
    ...(["start-over", "seen", "hide", "forget"] as const).map((name) =>
      change("routes/api.views_.$action", paths.api.viewsAction(name)),
    ),
    post("routes/api.views_.$action", "/api/views/constructor", about({}), members("/", "404")),
    change("routes/api.views_.forget-all", paths.api.viewsAction("forget-all"), {}, `303 ${paths.history()}`),
    // People who never marked it have no favorite to remove.
    onlyOwn(change("routes/api.favorites", paths.api.favorites(), { isFavorited: "false" })),
  ];
}

function byteRows({ gated, free, draft, set, creatorId }: Library): Row[] {
  const bytes = (path: Row["path"], may: readonly Person[]) =>
    get("routes/media.$", path, { ...all("403"), ...only(may, "200") });
  return [
    bytes(paths.mediaFile(free.id, "video-360.mp4"), PAST_THE_GATE),
    bytes(paths.mediaFile(gated.id, "cover-480.avif"), PAST_THE_GATE),
    bytes(paths.mediaFile(gated.id, "video-360.mp4"), ["subscriber", ...staffWith("media.seeAll")]),
    ...["cover-480.avif", "video-360.mp4"].map((name) =>
      get("routes/media.$", paths.mediaFile(draft.id, name), {
        ...all("404"),
        ...only(["nobody", "no age proof"], "403"),
        ...only(staffWith("media.seeAll"), "200"),
      }),
    ),
    ...[free, gated, draft].map(({ id }) => masterRow(id, id === free.id, id === draft.id)),
    get("routes/media.$id.photos[.]zip", paths.mediaArchive(set.id), {
      ...all("403"),
      ...only(["subscriber", ...staffWith("media.seeAll")], "200"),
    }),
    get("routes/site.$version.$name", paths.siteFile("0".repeat(32), "logo.png"), all("404")),
    bytes(paths.creatorFile(creatorId, "portrait-480.avif"), PAST_THE_GATE),
    {
      ...bytes(({ userId }) => paths.avatar(userId, "0".repeat(32)), []),
      expected: { ...all("403"), member: "404" },
    },
  ];
}

/** The master playlist is for those who may view the video. */
function masterRow(id: string, isFree: boolean, isDraft: boolean): Row {
  const may = isFree
    ? PAST_THE_GATE
    : [...(isDraft ? [] : ["subscriber" as const]), ...staffWith("media.seeAll")];
  return get("routes/media.$id.master[.]m3u8", paths.mediaMaster(id), {
    ...all(isDraft ? "404" : "403"),
    ...only(["nobody", "no age proof"], "403"),
    ...only(may, "200"),
  });
}

function studioRows(): Row[] {
  const color = paths.studioSettings("color");
  const role = async (_: string, { userId }: Target) => ((await hasRole(userId)) ? "given" : "kept");
  const given = post(
    "routes/studio.staff",
    paths.studioStaff(),
    ({ email }) => ({ version: "", email, role: "editor" }),
    staff("/", "site", `303 ${paths.studioStaff()}`),
  );
  return [
    get("routes/studio.staff", paths.studioStaff(), staff(paths.studioStaff(), "site", "200")),
    // Everybody here has just signed in: tests/studio/roles.test.ts covers old sign-ins.
    markedFor(staffWith("site"), given, role, "given"),
    get("routes/studio.plans", paths.studioPlans(), staff(paths.studioPlans(), "site", "200")),
    // Without a provider that sells the site's own prices: own-prices.server.test.ts covers changes.
    post(
      "routes/studio.plans",
      paths.studioPlans(),
      { intent: "add", plan: "Membership", amount: "9.99", currency: "USD", days: "30" },
      staff("/", "site", "422"),
    ),
    get("routes/studio.settings", paths.studioSettings(), staff(paths.studioSettings(), "site", "200")),
    get("routes/studio.settings.$section", color, staff(color, "site", "200")),
    // A preview changes nothing: tests/studio/settings.slow.test.ts covers saves.
    post(
      "routes/studio.settings.$section",
      color,
      { version: "", accent: "#0b5fa5", intent: "preview" },
      staff("/", "site", "200"),
    ),
    get("routes/studio.audit", paths.studioAudit(), staff(paths.studioAudit(), "site", "200")),
  ];
}

function accountRows(): Row[] {
  const page = (route: string, path: string) => get(route, path, members(path, "200"));
  const change = (name: Parameters<typeof paths.accountAction>[0], fields: Fields, outcome: string) =>
    post(`routes/user.account_.${name}`, paths.accountAction(name), fields, members("/", outcome));
  const edit = (fields: Fields, outcome: string) =>
    post("routes/user.account", paths.account(), fields, members("/", outcome));
  const PROFILE = {
    full_name: "New",
    line1: "",
    line2: "",
    city: "",
    region: "",
    postalCode: "",
    country: "",
  };
  const confirm = paths.confirm("export");
  const cancellation = paths.accountAction("subscription");
  const noneToLeave = `${paths.account()}#subscription`;
  const name = async (_: string, target: Target) => ((await nameOf(target)) === "New" ? "renamed" : "kept");
  const device = async (_: string, target: Target) => ((await isSignedInOn(target)) ? "kept" : "ended");
  const account = async (_: string, target: Target) => ((await isClosing(target)) ? "closing" : "kept");
  return [
    page("routes/user.account", paths.account()),
    // Only people with a subscription have something to cancel.
    get("routes/user.account_.subscription", cancellation, {
      ...members(cancellation, `302 ${noneToLeave}`),
      ...only(["subscriber", "lapsed"], "200"),
    }),
    post(
      "routes/user.account_.subscription",
      cancellation,
      { intent: "cancel" },
      {
        ...members("/", `303 ${noneToLeave}`),
        subscriber: `303 ${paths.accountAction("subscription", { subscription: "sub_x" })}`,
      },
    ),
    // Everybody here has just signed in: tests/account/step-up.test.ts covers old sign-ins.
    get(
      "routes/user.confirm",
      confirm,
      members(confirm, `302 ${paths.account({ saved: "confirmed-export" })}#data`),
    ),
    post(
      "routes/user.confirm",
      confirm,
      { for: "export" },
      members("/", `303 ${paths.signInCode({ for: "export" })}`),
    ),
    page("routes/user.account_.export", paths.accountAction("export")),
    marked(
      edit({ intent: "profile", ...PROFILE }, "303 /user/account?saved=profile#profile"),
      name,
      "renamed",
    ),
    marked(
      edit({ intent: "delete", confirm: "yes" }, `303 ${paths.keepAccount({ done: "requested" })}`),
      account,
      "closing",
    ),
    { ...edit({}, "422"), body: () => new FormData() },
    marked(
      change("devices", ({ sessionId }) => ({ sessionId }), "303 /user/account?saved=device#devices"),
      device,
      "ended",
    ),
    marked(change("sign-out-everywhere", {}, "303 /signin?signedOut=everywhere"), device, "ended"),
    change("avatar-removal", {}, "303 /user/account?saved=picture-removed#picture"),
  ];
}
