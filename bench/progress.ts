import type { Request } from "autocannon";
import { paths } from "#app/paths.ts";
import { BARE_ACTION, serveBare } from "./bare/serve.ts";
import { Browser } from "./load/browser.ts";
import { CONNECTIONS, compareThroughput, type Target, throughputText, warmUp } from "./load/load.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { type Library, type RunningSite, startWeb } from "./site/site.ts";

/** Ten times what the 200 viewers send whose videos fill 1 Gbit/s (decision 146). */
const PER_SECOND_GOAL = 200;
/** For the check that nothing is lost: members, media of each, and posts of each pair, all on their way at once. */
const MEMBERS = 100;
const MEDIA = 10;
const SENT_SHARES = [0.25, 0.45, 0.65];

interface Item {
  id: string;
  /** Seconds or photos. */
  extent: number;
}

/** Compares saving progress with an action that only parses the same form, and looks for posts that are lost. */
export async function benchProgress(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library);
  const bare = await serveBare(library.folder, { page: "<body><p>Nothing</p></body>" });
  try {
    const items = await library.sql<Item[]>`
      SELECT id, COALESCE(duration_seconds, photo_count)::float8 AS extent FROM media
      WHERE status = 'published' AND publish_at <= now() ORDER BY publish_at DESC`;
    const post = (origin: string, pid: number[], path: string): Target => ({
      origin,
      pids: pid,
      requestsOf: (connection) => postsOf(library, { origin, path, items, connection }),
    });
    const saving = post(site.origin, site.pids, paths.api.views());
    const nothing = post(bare.origin, [bare.pid], BARE_ACTION);
    await warmUp(saving, nothing);
    // Each member may write sixty times a minute.
    const betweenTurns = () => library.sql`DELETE FROM rate_limits`;
    const compared = await compareThroughput(saving, nothing, { ...options, betweenTurns });
    report({
      name: "progress",
      figure: throughputText(compared.site),
      reference: `empty action ${throughputText(compared.reference)}`,
      ratio: compared.share,
      goal: `>= ${PER_SECOND_GOAL} a second`,
      isMet: compared.site.perSecond >= PER_SECOND_GOAL,
    });
    await betweenTurns();
    await lookForLost(library, site, { items: items.slice(0, MEDIA), report });
  } finally {
    await Promise.all([site.stop(), bare.stop()]);
  }
}

function postsOf(
  { subscribers }: Library,
  { origin, path, items, connection }: { origin: string; path: string; items: Item[]; connection: number },
): Request[] {
  return subscribers
    .filter((_, index) => index % CONNECTIONS === connection)
    .map(({ cookie }, index) => ({
      method: "POST",
      path,
      headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
      body: `mediaId=${items[index % items.length]?.id}&progress=${(2 + (index % 5)).toFixed(2)}`,
    }));
}

/** The posts of a pair overtake each other, so their own order decides: the row must hold the last that was sent. */
async function lookForLost(
  { sql, subscribers }: Library,
  { origin }: RunningSite,
  { items, report }: { items: Item[]; report: Report },
): Promise<void> {
  const members = subscribers.slice(-MEMBERS);
  const ids = members.map(({ id }) => id);
  await sql`DELETE FROM views WHERE user_id = ANY(${ids}::uuid[])`;
  const begunAt = Date.now() - 1_000;
  const posts = members.map(async ({ cookie }) => {
    const browser = new Browser(origin, cookie);
    const sent = items.flatMap(({ id, extent }) =>
      SENT_SHARES.map((share, order) => {
        const fields = { mediaId: id, progress: String(extent * share), sequence: String(begunAt + order) };
        return browser.post(paths.api.views(), fields);
      }),
    );
    await Promise.all(sent).finally(() => browser.close());
  });
  await Promise.all(posts);
  const stored = await sql<{ id: string; progress: number }[]>`
    SELECT media_id AS id, progress FROM views WHERE user_id = ANY(${ids}::uuid[])`;
  const last = SENT_SHARES.at(-1) ?? 0;
  const expected = new Map(items.map(({ id, extent }) => [id, extent * last]));
  const right = stored.filter(({ id, progress }) => Math.abs(progress - (expected.get(id) ?? -1)) < 1e-6);
  const lost = MEMBERS * items.length - right.length;
  report({
    name: "progress lost",
    figure: `${lost} of ${MEMBERS * items.length} rows`,
    reference: `${MEMBERS * items.length * SENT_SHARES.length} posts at once`,
    ratio: null,
    goal: "0",
    isMet: lost === 0,
  });
}
