import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { expectMetric, fetchAlone, scrape, sumOf } from "#tests/support/metrics/scrape.ts";
import { adultCookie } from "#tests/support/people.ts";
import { descendants } from "#tests/support/process/process-tree.ts";
import { startSite } from "#tests/support/site.ts";

const REQUESTS = 20;
const site = await startSite({ processes: 2 });
const lost = await startSite({ env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" } });
afterAll(() => Promise.all([site.stop(), lost.stop()]));

test("one scrape counts the requests of both web processes, each by its route and status", async () => {
  const cookie = await adultCookie();
  for (let count = 0; count < REQUESTS; count += 1) await fetchAlone(site, "/about");
  await fetchAlone(site, "/about.data");
  await fetchAlone(site, "/about", {}, "HEAD");
  await fetchAlone(site, "/about", {}, "PROPFIND");
  await fetchAlone(site, "/nowhere", { cookie });
  await fetchAlone(site, "/content/video/one-that-is-not-there", { cookie });
  await fetchAlone(site, paths.list("video"));
  for (const [labels, count] of [
    ['route="/about",method="GET",status="200"', REQUESTS],
    ['route="/about.data",method="GET",status="200"', 1],
    ['route="/about",method="HEAD",status="200"', 1],
    ['route="/about",method="other",status="405"', 1],
    ['route="/*",method="GET",status="404"', 1],
    ['route="/content/video/$slug",method="GET",status="404"', 1],
    ['route="/content/$type",method="GET",status="302"', 1],
  ] as const) {
    await expectMetric(site, `peony_http_requests_total{${labels}}`, count);
  }
  const text = await scrape(site);
  expect(sumOf(text, "peony_web_processes")).toBe(2);
  expect(sumOf(text, 'peony_http_request_duration_seconds_count{route="/about"}')).toBe(REQUESTS + 2);
  expect(sumOf(text, 'peony_http_request_duration_seconds_bucket{le="+Inf",route="/about"}')).toBe(
    REQUESTS + 2,
  );
}, 120_000);

test("no counter falls when a web process dies and another replaces it", async () => {
  const series = 'peony_http_requests_total{route="/about",method="GET"';
  await expectMetric(site, series, REQUESTS);
  const pids = () => descendants(site.process.pid ?? 0).map(({ pid }) => pid);
  const [first = 0] = pids();
  process.kill(first, "SIGKILL");
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const text = await scrapeOrNothing();
        if (text !== "") seen.add(sumOf(text, series));
        return pids().includes(first) ? 0 : sumOf(text, "peony_web_processes");
      },
      { timeout: 60_000 },
    )
    .toBe(2);
  expect([...seen]).toEqual([REQUESTS]);
  for (let count = 0; count < 4; count += 1) await fetchAlone(site, "/about");
  await expectMetric(site, series, REQUESTS + 4);
}, 120_000);

test("a hundred scrapes at once read the database no more than once a second in each process", async () => {
  const calls = async () => sumOf(await scrape(site), 'peony_database_calls_total{pool="pages"}');
  const [before, startedAt] = [await calls(), performance.now()];
  await Promise.all(Array.from({ length: 100 }, () => scrape(site)));
  const seconds = (performance.now() - startedAt) / 1000;
  const scrapes = ((await calls()) - before) / 5;
  expect(scrapes).toBeLessThanOrEqual(2 * (seconds + 2));
}, 60_000);

test("without the database, the scrape says so and has the figures of the web processes", async () => {
  await fetchAlone(lost, "/healthz");
  const text = await scrape(lost);
  expect(sumOf(text, "peony_database_up")).toBe(0);
  expect(sumOf(text, 'peony_http_requests_total{route="/healthz"')).toBeGreaterThan(0);
  expect(text).not.toContain("peony_jobs{");
});

test("the response is not stored, and HEAD has no body", async () => {
  const { headers } = await fetchAlone(site, "/metrics");
  expect(headers["cache-control"]).toContain("no-store");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await fetchAlone(site, "/metrics", {}, "HEAD")).toMatchObject({ status: 200, text: "" });
});

/** A connection that was just given to the process that died is never answered. */
async function scrapeOrNothing(): Promise<string> {
  return fetchAlone(site, "/metrics", {}, "GET", AbortSignal.timeout(10_000)).then(
    ({ text }) => text,
    () => "",
  );
}
