import { paths } from "#app/paths.ts";
import { type HtmlLibrary, STAFF_EMAIL } from "./library.ts";

export type PersonName = keyof HtmlLibrary["people"];

export interface State {
  /** The route's id in the manifest. */
  route: string;
  path: string;
  who: PersonName;
  status: number;
  /** Fields to post; without them, the page is requested with GET. */
  form?: Record<string, string>;
  /** Sent as multipart/form-data. */
  isUpload?: boolean;
  /** The Origin header, when it is not the site's own. */
  origin?: string;
}

const COLOR_FORM = { section: "color", opened: '{"accent":""}', accent: "#ffc0cb" };
const ADULTS: PersonName[] = ["visitor", "member", "subscriber", "subscriber with things", "owner"];
/** The people who see only published media. */
const READERS = ADULTS.filter((who) => who !== "owner");
const MEMBERS: PersonName[] = [
  "member",
  "subscriber",
  "member who owes",
  "member who leaves",
  "member who waits for the provider",
  "member who is not renewed",
  "member who signed in long ago",
  "member whose account is to be deleted",
  "subscriber with things",
  "owner",
];
const STRANGERS: PersonName[] = ["nobody", "visitor"];
const EVERYBODY = [...STRANGERS, ...MEMBERS].filter((who) => who !== "owner");

export function listStates({
  creator,
  videoCreator,
  newcomer,
  free,
  gated,
  set,
  takenDown,
  coming,
  purchases,
  cancelLinks,
  withdrawLinks,
  keepLink,
}: HtmlLibrary): State[] {
  const cancellation = paths.accountAction("subscription");
  const watch = paths.media("video", free.slug);
  return [
    ...get("_index", [paths.home()], ADULTS),
    ...get("content.$type._index", lists(creator.slug), ADULTS),
    ...get(
      "creators._index",
      ["", "?q=nobody", "?q=an", "?sort=name"].map((query) => paths.creators() + query),
      ADULTS,
    ),
    ...get(
      "creators.$slug",
      [
        paths.creator(creator.slug),
        paths.creator(creator.slug, { tab: "photos" }),
        paths.creator(videoCreator.slug, { tab: "photos" }),
      ],
      ADULTS,
    ),
    // This creator has no published media.
    ...get("creators.$slug", [paths.creator(newcomer.slug)], READERS, 404),
    ...get("creators.$slug", [paths.creator(newcomer.slug)], ["owner"]),
    ...get("content.video.$slug", [watch, `${watch}?q=720&t=30`, paths.media("video", gated.slug)], ADULTS),
    ...get("content.photoSet.$slug._index", [paths.media("photoSet", set.slug)], ADULTS),
    ...get(
      "content.photoSet.$slug.$n",
      [1, 2, 12].map((n) => paths.photo(set.slug, n)),
      ADULTS,
    ),
    ...get("subscribe", [paths.subscribe()], [...ADULTS, "member who owes", "member who is not renewed"]),
    post("subscribe", paths.subscribe(), "member", { plan: "price_test_monthly" }, 422),
    post("subscribe", paths.subscribe(), "member", { plan: "price_<none>" }, 422),
    ...get("subscribe_.cancelled", [paths.subscribeCancelled()], ADULTS),
    ...get(
      "subscribe_.return",
      purchases.map((id) => paths.subscribeReturn(id)),
      ["subscriber"],
    ),
    ...get("subscribe_.return", [paths.subscribeReturn("unknown")], MEMBERS, 404),
    ...get("subscribe_.portal", [paths.portal()], MEMBERS),
    post("subscribe_.portal", paths.portal(), "member who owes", {}, 503),
    ...get("cancel", [paths.cancel(), paths.cancel({ signature: "wrong" })], EVERYBODY),
    ...get("cancel", cancelLinks, ["nobody", "subscriber"]),
    post("cancel", paths.cancel({ signature: "wrong" }), "nobody", {}, 422),
    ...get("withdraw", [paths.withdraw(), paths.withdraw({ signature: "wrong" })], EVERYBODY),
    ...get("withdraw", withdrawLinks, ["nobody", "subscriber"]),
    post("withdraw", paths.withdraw({ signature: "wrong" }), "nobody", {}, 422),
    ...get(
      "keep-account",
      [{}, { done: "requested" }, { done: "kept" }, { signature: "wrong" }].map((query) =>
        paths.keepAccount(query),
      ),
      EVERYBODY,
    ),
    ...get("keep-account", [keepLink], ["nobody", "member"]),
    post("keep-account", paths.keepAccount({ signature: "wrong" }), "nobody", { intent: "keep" }, 422),
    post("keep-account", keepLink, "nobody", {}, 422),
    // The box beside the button is not ticked.
    ...cancelLinks.map((link) => post("cancel", link, "nobody", { intent: "cancel" }, 422)),
    ...withdrawLinks.map((link) => post("withdraw", link, "nobody", { intent: "withdraw" }, 422)),
    post("keep-account", keepLink, "nobody", { intent: "keep" }, 422),
    ...get(
      "user.confirm",
      (["export", "delete", "portal"] as const).map((stepUp) => paths.confirm(stepUp)),
      ["member who signed in long ago"],
    ),
    post("user.confirm", paths.confirm("export"), "member who signed in long ago", {}, 422),
    ...get("studio.staff", [paths.studioStaff(), paths.studioStaff({ saved: "role" })], ["owner"]),
    ...get("studio.staff", [paths.studioStaff()], ["member"], 404),
    post("studio.staff", paths.studioStaff(), "owner", {}, 422),
    post(
      "studio.staff",
      paths.studioStaff(),
      "owner",
      { intent: "give", email: "nobody@example.com", role: "editor" },
      422,
    ),
    ...["give", "remove"].map((intent) => {
      const form = { intent, email: STAFF_EMAIL, role: intent === "give" ? "publisher" : "member" };
      return post("studio.staff", paths.studioStaff(), "owner who signed in hours ago", form, 403);
    }),
    ...get("studio.settings", [paths.studioSettings(), paths.studioSettings({ saved: "name" })], ["owner"]),
    ...get("studio.settings", [paths.studioSettings()], ["member"], 404),
    post("studio.settings", paths.studioSettings(), "owner", {}, 422),
    post("studio.settings", paths.studioSettings(), "owner", COLOR_FORM, 422),
    post("studio.settings", paths.studioSettings(), "owner", { ...COLOR_FORM, intent: "preview" }, 200),
    post(
      "studio.settings",
      paths.studioSettings(),
      "owner who signed in hours ago",
      { section: "contact", opened: '{"contactEmail":""}', contactEmail: "hello@example.com" },
      403,
    ),
    ...get("studio.audit", [paths.studioAudit(), paths.studioAudit({ actor: "nobody" })], ["owner"]),
    ...get("signin", [paths.signIn(), paths.signIn("/about?a=1&b=2")], STRANGERS),
    ...get("signin_.verify", [paths.signInVerify({ token: "wrong" })], EVERYBODY),
    ...get("outbox", [paths.outbox()], ["nobody", "member"]),
    ...get(
      "no-cookies",
      (["gate", "mail", "link", "colors"] as const).map((use) => paths.noCookies(use, "/about?a=1&b=2")),
      ["nobody"],
    ),
    ...get("enter", [paths.enter(), paths.enter("/about?a=1&b=2"), `${paths.enter()}?left=1`], ["nobody"]),
    ...get(
      "user.account",
      ["", "?saved=profile", "?saved=picture"].map((query) => paths.account() + query),
      MEMBERS,
    ),
    post("user.account", paths.account(), "member", { intent: "profile", country: "<Nowhere>" }, 422),
    post("user.account", paths.account(), "member", { intent: "unknown" }, 422),
    post("user.account", paths.account(), "member", { intent: "delete" }, 422),
    { ...post("user.account", paths.account(), "member", { avatar: "no file" }, 422), isUpload: true },
    ...get(
      "user.account_.subscription",
      [cancellation],
      [
        "subscriber",
        "member who owes",
        "member who leaves",
        "member who waits for the provider",
        "member who is not renewed",
      ],
    ),
    post("user.account_.subscription", cancellation, "member who leaves", { intent: "keep" }, 409),
    post("user.account_.subscription", cancellation, "member who leaves", { intent: "reason" }, 422),
    ...get(
      "user.favorites",
      ["", "?type=photoSet&sort=title", "?type=photo", "?q=nothing"].map(
        (query) => paths.favorites() + query,
      ),
      MEMBERS,
    ),
    ...get("user.history", [paths.history()], MEMBERS),
    ...["privacy", "terms", "about", "2257"].flatMap((name) => get(name, [`/${name}`], EVERYBODY)),
    ...get("$", ["/nowhere"], EVERYBODY, 404),
    ...itemStates([free.id, set.id, takenDown.id, coming.id]),
    ...nameStates(creator.id, newcomer.id),
    ...get("draft.$token", [paths.draft("unknown")], ["visitor", "member"], 404),
    ...get("content.video.$slug", [`${watch}?as=visitor`], ["owner"]),
    ...get("content.video.$slug", [paths.media("video", takenDown.slug)], READERS, 410),
    ...get("content.photoSet.$slug._index", [paths.media("photoSet", coming.slug)], READERS, 404),
    ...get("content.photoSet.$slug._index", [paths.media("photoSet", coming.slug)], ["owner"]),
    ...get("content.photoSet.$slug.$n", [paths.photo(coming.slug, 1)], ["owner"]),
    post("signin", paths.signIn(), "visitor", { email: "no <address>" }, 422),
    post("signin_.verify", paths.signInVerify(), "visitor", { token: "wrong" }, 422),
    post("content.video.$slug", watch, "member", { stoppedAt: "<never>" }, 422),
    ...STRANGERS.map((who) => post("signin", paths.signIn(), who, { email: "x".repeat(70_000) }, 413)),
    post("content.video.$slug", watch, "subscriber with things", { stoppedAt: "1".repeat(70_000) }, 413),
    {
      ...post("signin", paths.signIn(), "visitor", { email: "a@b.example" }, 403),
      origin: "https://evil.example",
    },
  ];
}

/** The studio's pages of items. */
function itemStates(ids: string[]): State[] {
  const [free = "", set = ""] = ids;
  const bulk = (change: string) => `${paths.studioBulk({ change })}&id=${free}&id=${set}`;
  return [
    ...get("studio._index", [paths.studio()], ["owner"]),
    ...get("studio._index", [paths.studio()], ["member"], 404),
    ...get(
      "studio.media._index",
      [
        paths.studioMedia(),
        paths.studioMedia({ q: 'nothing "at" <all>' }),
        paths.studioMedia({ sort: "title" }),
      ],
      ["owner"],
    ),
    ...get(
      "studio.media.$id",
      ids.map((id) => paths.studioItem(id)),
      ["owner"],
    ),
    ...get("studio.media.$id", [paths.studioItem("unknown")], ["owner"], 404),
    post("studio.media.$id", paths.studioItem(free), "owner", {}, 422),
    post(
      "studio.media.$id",
      paths.studioItem(free),
      "owner who signed in days ago",
      { section: "text", opened: '{"title":"","description":""}', title: "Typed", description: "Typed" },
      403,
    ),
    post(
      "studio.media.$id",
      paths.studioItem(free),
      "owner",
      { section: "publication", intent: "takeDown" },
      422,
    ),
    post(
      "studio.media.$id",
      paths.studioItem(free),
      "owner",
      { section: "text", opened: '{"title":"","description":""}', title: "Typed", description: "<b>" },
      409,
    ),
    ...get(
      "studio.upload",
      [paths.studioUpload(), paths.studioUpload({ arrived: 1, trouble: "twice" })],
      ["owner"],
    ),
    post("studio.upload", paths.studioUpload(), "owner", { intent: "declare", file: "<b>" }, 422),
    ...get(
      "studio.media_.bulk",
      [paths.studioBulk(), bulk("access:free"), bulk("addTag"), bulk("publishAt"), bulk("state:takeDown")],
      ["owner"],
    ),
    post("studio.media_.bulk", paths.studioBulk(), "owner", {}, 422),
    post(
      "studio.media_.bulk",
      bulk("access:free"),
      "owner who signed in days ago",
      { change: "access:free", value: "", id: free },
      403,
    ),
  ];
}

/** The studio's pages of creators and tags. */
function nameStates(id: string, otherId: string): State[] {
  const page = paths.studioCreator(id);
  const merge = (into: string) => paths.studioMerge({ kind: "creator", from: id, into });
  const [opened, old] = ['{"name":"","slug":"","bio":""}', '{"name":"Ann & Co","slug":"x","bio":""}'];
  const text = { section: "text", name: "Typed <b>", slug: "typed", bio: "<b>Typed</b>" };
  const post422 = (route: string, path: string, form: Record<string, string>) =>
    post(route, path, "owner", form, 422);
  return [
    ...get(
      "studio.creators._index",
      [
        paths.studioCreators(),
        paths.studioCreators({ q: 'nobody "at" <all>' }),
        paths.studioCreators({ sort: "works" }),
      ],
      ["owner"],
    ),
    post422("studio.creators._index", paths.studioCreators(), { name: "Ann & Co" }),
    ...get("studio.creators.$id", [page, paths.studioCreator(otherId)], ["owner"]),
    ...get("studio.creators.$id", [paths.studioCreator("unknown")], ["owner"], 404),
    post("studio.creators.$id", page, "owner", { ...text, opened }, 409),
    post("studio.creators.$id", page, "owner who signed in days ago", { ...text, opened }, 403),
    post422("studio.creators.$id", page, { ...text, opened: old, name: "\u2800" }),
    post422("studio.creators.$id", paths.studioCreator(otherId), {
      section: "links",
      opened: '{"links":[]}',
      label: "<b>",
      url: "javascript:1",
    }),
    post422("studio.creators.$id", paths.studioCreator(otherId), { section: "delete" }),
    { ...post422("studio.creators.$id", page, { section: "upload", portraitAlt: "<b>" }), isUpload: true },
    ...get("studio.names.merge", [merge(""), merge("nobody"), merge("Cy"), merge("Ann & Co")], ["owner"]),
    post422("studio.names.merge", merge("Cy"), {}),
    ...get("studio.tags._index", [paths.studioTags(), paths.studioTags({ q: "nothing" })], ["owner"]),
    ...get("studio.tags.$id", [paths.studioTag("unknown")], ["owner"], 404),
  ];
}

function lists(creatorSlug: string): string[] {
  return [
    paths.list("video"),
    paths.list("video", { sort: "title", access: "subscriber", length: "medium" }),
    paths.list("video", { creator: creatorSlug, tag: "silk-paper", seen: "unseen" }),
    paths.list("video", { q: "reel", typed: "reeel" }),
    paths.list("video", { q: 'nothing "at" <all>' }),
    paths.list("photoSet"),
    paths.list("photoSet", { length: "long" }),
  ];
}

function get(route: string, addresses: string[], people: PersonName[], status = 200): State[] {
  return addresses.flatMap((path) => people.map((who) => ({ route: `routes/${route}`, path, who, status })));
}

function post(
  route: string,
  path: string,
  who: PersonName,
  form: Record<string, string>,
  status: number,
): State {
  return { route: `routes/${route}`, path, who, form, status };
}
