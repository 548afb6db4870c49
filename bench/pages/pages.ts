import type { Request } from "autocannon";
import { paths } from "#app/paths.ts";
import { type BareSite, serveBare } from "../bare/serve.ts";
import { CONNECTIONS, compareThroughput, type Target, throughputText, warmUp } from "../load/load.ts";
import type { BenchOptions, Report } from "../report/report.ts";
import { type Library, type RunningSite, startWeb } from "../site/site.ts";

const SUBSCRIBER_GOAL = 0.25;
const SIGNED_OUT_GOAL = 0.4;
/** Each address may search ten times in ten seconds. */
const ADDRESSES_PER_CONNECTION = 200;

interface Page {
  name: string;
  path: string;
  isSignedIn: boolean;
}

/**
 * Compares the requests per second of each page with those of a bare React page that shows the same. Subscribers take
 * turns, each with a history of their own.
 */
export async function benchPages(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library);
  let bare: BareSite | null = null;
  try {
    const known = await listPages(library);
    const chosen = known.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
    bare = await serveBare(library.folder, await readPages(site, library, chosen));
    const [first] = chosen;
    if (first) await warmUp(targetOf(library, site, first), bareTarget(bare, first));
    for (const page of chosen) {
      const compared = await compareThroughput(
        targetOf(library, site, page),
        bareTarget(bare, page),
        options,
      );
      const goal = page.isSignedIn ? SUBSCRIBER_GOAL : SIGNED_OUT_GOAL;
      report({
        name: page.name,
        figure: throughputText(compared.site),
        reference: `bare ${throughputText(compared.reference)}`,
        ratio: compared.share,
        goal: `>= ${goal.toFixed(2)}`,
        isMet: compared.share >= goal,
      });
    }
  } finally {
    await Promise.all([site.stop(), bare?.stop()]);
  }
}

/** The media and the creator that have the most to show, by slug. */
interface Chosen {
  video: string;
  set: string;
  creator: string;
}

export async function listPages({ sql }: Pick<Library, "sql">): Promise<Page[]> {
  const [chosen] = await sql<Chosen[]>`
    SELECT (SELECT slug FROM media JOIN videos ON media_id = media.id
        WHERE status = 'published' AND access = 'subscriber' AND publish_at <= now()
        ORDER BY jsonb_array_length(markers) DESC, publish_at DESC LIMIT 1) AS video,
      (SELECT slug FROM media WHERE type = 'photoSet' AND status = 'published' AND access = 'subscriber'
        AND publish_at <= now() ORDER BY photo_count DESC, publish_at DESC LIMIT 1) AS set,
      (SELECT slug FROM creators ORDER BY video_count + photo_set_count DESC, slug LIMIT 1) AS creator`;
  if (!chosen) throw new Error("There is nothing to look at");
  return pagesOf(chosen);
}

/** The names of the pages of subscribers, or of visitors. */
export function pageNames({ isSignedIn }: { isSignedIn: boolean }): string[] {
  const pages = pagesOf({ video: "", set: "", creator: "" });
  return pages.filter((page) => page.isSignedIn === isSignedIn).map(({ name }) => name);
}

function pagesOf(chosen: Chosen): Page[] {
  const of = (isSignedIn: boolean, named: Record<string, string>) =>
    Object.entries(named).map(([name, path]) => ({
      name: `${name}${isSignedIn ? "" : ", signed out"}`,
      path,
      isSignedIn,
    }));
  const both = {
    home: paths.home(),
    list: paths.list("video"),
    watch: paths.media("video", chosen.video),
    set: paths.media("photoSet", chosen.set),
    creator: paths.creator(chosen.creator),
    search: paths.list("video", { q: "light" }),
    photo: paths.photo(chosen.set, 3),
  };
  return [
    ...of(true, {
      ...both,
      favorites: paths.favorites(),
      history: paths.history(),
      account: paths.account(),
    }),
    ...of(false, {
      ...both,
      sets: paths.list("photoSet"),
      creators: paths.creators(),
      subscribe: paths.subscribe(),
      "not subscribed": paths.subscribeCancelled(),
      gate: paths.enter(),
      "sign-in": paths.signIn(),
      about: paths.about(),
      privacy: paths.privacy(),
      terms: paths.terms(),
      records: paths.records(),
      cancel: paths.cancel(),
      withdraw: paths.withdraw(),
      "keep account": paths.keepAccount(),
    }),
  ];
}

async function readPages(
  { origin }: RunningSite,
  library: Library,
  pages: Page[],
): Promise<Record<string, string>> {
  const entries = pages.map(async ({ name, path, isSignedIn }) => {
    const cookie = (isSignedIn ? library.subscribers[0]?.cookie : visitorCookie(library, path)) ?? "";
    const answer = await fetch(origin + path, { headers: { cookie }, redirect: "manual" });
    if (answer.status !== 200) throw new Error(`${path} answered with ${answer.status}`);
    return [name, await answer.text()];
  });
  return Object.fromEntries(await Promise.all(entries));
}

export function targetOf(
  library: Library,
  { origin, pids }: RunningSite,
  { path, isSignedIn }: Page,
): Target {
  const isSearch = path.includes("q=");
  return {
    origin,
    pids,
    requestsOf(connection): Request[] {
      const cookies = isSignedIn
        ? cookiesOf(library, connection)
        : Array<string>(isSearch ? ADDRESSES_PER_CONNECTION : 1).fill(visitorCookie(library, path));
      const requests = cookies.map((cookie) => ({ path, headers: { cookie, "accept-encoding": "gzip" } }));
      return isSearch ? requests.map((request, index) => fromAddress(request, connection, index)) : requests;
    },
  };
}

/** Only those who have not passed the gate see it. */
function visitorCookie({ visitor }: Library, path: string): string {
  return path === paths.enter() ? "" : visitor;
}

/** The subscribers of one connection; no two connections have one in common. */
export function cookiesOf({ subscribers }: Pick<Library, "subscribers">, connection: number): string[] {
  return subscribers.filter((_, index) => index % CONNECTIONS === connection).map(({ cookie }) => cookie);
}

function fromAddress(request: Request, connection: number, index: number): Request {
  const address = `10.${connection}.${Math.floor(Math.random() * 256)}.${index % ADDRESSES_PER_CONNECTION}`;
  return { ...request, headers: { ...request.headers, "x-forwarded-for": address } };
}

function bareTarget(bare: BareSite, { name }: Page): Target {
  const request: Request = { path: bare.pathOf(name), headers: { "accept-encoding": "gzip" } };
  return { origin: bare.origin, pids: [bare.pid], requestsOf: () => [request] };
}
