import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { paths } from "#app/paths.ts";
import { openChromium, visit } from "./load/chromium.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { type Library, startWeb } from "./site/site.ts";

const SIZES = { small: 20, large: 1_000 };
const TURNS = { full: 5, quick: 2 };
const TURNED_PHOTOS = 30;
const RATIO_GOAL = 1.3;
const PICTURES_GOAL = 30;

interface Looked {
  firstPictureMs: number;
  pictures: number;
  /** The longest time between two frames while the page is scrolled from its beginning to its end. */
  scrollingMs: number;
  openMs: number;
  /** The longest time between two frames while photos are turned. */
  longestFrameMs: number;
  heapMb: number;
}

/** Compares a set of 1,000 photos with one of 20: its page, and the viewer over it. */
export async function benchLooking(
  library: Library,
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const small = await addSet(library.sql, SIZES.small);
  const large = await addSet(library.sql, SIZES.large);
  const browser = await openChromium();
  const site = await startWeb(library);
  try {
    const of: { small: Looked[]; large: Looked[] } = { small: [], large: [] };
    const turns = isQuick ? TURNS.quick : TURNS.full;
    for (let turn = 0; turn <= turns; turn += 1) {
      const cookie = library.subscribers[turn]?.cookie ?? "";
      const looked = { small: await look(small, cookie), large: await look(large, cookie) };
      // The first turn warms up.
      if (turn > 0) for (const size of ["small", "large"] as const) of[size].push(looked[size]);
    }
    const row = (name: string, figure: keyof Looked, unit: string, goal?: number) => {
      const [many, few] = [of.large, of.small].map((all) => median(all.map((each) => each[figure])));
      const ratio = (many ?? Number.NaN) / (few ?? Number.NaN);
      report({
        ...{ name: `looking: ${name}`, ratio },
        figure: `${many?.toFixed(0)} ${unit}`,
        reference: `${SIZES.small} photos ${few?.toFixed(0)} ${unit}`,
        goal: goal === undefined ? `<= ${RATIO_GOAL}` : `<= ${goal}`,
        isMet: goal === undefined ? ratio <= RATIO_GOAL : (many ?? Number.POSITIVE_INFINITY) <= goal,
      });
    };
    row("first picture", "firstPictureMs", "ms");
    row("pictures before scrolling", "pictures", "", PICTURES_GOAL);
    row("longest frame while scrolling", "scrollingMs", "ms");
    row("the lightbox's first picture", "openMs", "ms");
    row("longest frame while turning", "longestFrameMs", "ms");
    row("memory after 30 photos", "heapMb", "MB");
  } finally {
    await browser.close();
    await site.stop();
  }

  async function look(slug: string, cookie: string): Promise<Looked> {
    const opened = await visit(browser, { origin: site.origin, cookie });
    const { page } = opened;
    try {
      await page.goto(site.origin + paths.media("photoSet", slug));
      const firstPictureMs = await page.evaluate(firstPicture);
      await page.waitForLoadState("networkidle");
      const pictures = opened.requestsOf(/\/photo-\d+-/);
      await page.evaluate(watchFrames);
      await page.evaluate(scrollThrough);
      const scrollingMs = await page.evaluate(longestFrame);
      const begun = performance.now();
      await page.locator("a[data-photo] img").first().click();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>(".pswp img")].some(
          ({ complete, naturalWidth }) => complete && naturalWidth > 0,
        ),
      );
      const openMs = performance.now() - begun;
      await page.evaluate(watchFrames);
      for (let photo = 0; photo < TURNED_PHOTOS; photo += 1) {
        await page.keyboard.press("ArrowRight");
        await page.waitForTimeout(100);
      }
      const longestFrameMs = await page.evaluate(longestFrame);
      const heapMb = (await opened.heapBytes()) / 1e6;
      return { firstPictureMs, pictures, scrollingMs, openMs, longestFrameMs, heapMb };
    } finally {
      await opened.close();
    }
  }
}

/** Runs in the page. Resolves with the milliseconds from the navigation until a picture was painted. */
function firstPicture(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const painted of list.getEntries() as LargestContentfulPaint[]) {
        if (painted.element?.matches("a[data-photo] img")) resolve(painted.startTime);
      }
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
}

/** Runs in the page, until longestFrame() does. */
function watchFrames(): void {
  let [last, longest] = [performance.now(), 0];
  document.documentElement.dataset.longestFrame = "0";
  const next = (now: number) => {
    if (document.documentElement.dataset.longestFrame === undefined) return;
    longest = Math.max(longest, now - last);
    last = now;
    document.documentElement.dataset.longestFrame = String(longest);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Runs in the page. */
function longestFrame(): number {
  const { dataset } = document.documentElement;
  const longest = Number(dataset.longestFrame);
  delete dataset.longestFrame;
  return longest;
}

/** Runs in the page, and ends where it began. */
async function scrollThrough(): Promise<void> {
  const stepPx = 200;
  for (let y = 0; y + window.innerHeight < document.documentElement.scrollHeight; y += stepPx) {
    window.scrollTo({ top: y + stepPx, behavior: "instant" });
    await new Promise(requestAnimationFrame);
  }
  window.scrollTo({ top: 0, behavior: "instant" });
  await new Promise(requestAnimationFrame);
}

/** Adds a set for subscribers, with a download, that shares the files of a demo set, and returns its slug. */
async function addSet(sql: Sql, count: number): Promise<string> {
  const id = randomUUID();
  const slug = `many-${id.slice(0, 8)}`;
  const [source] = await sql<{ id: string; photos: number }[]>`SELECT id, photo_count AS photos FROM media
    WHERE type = 'photoSet' AND status = 'published' ORDER BY photo_count DESC LIMIT 1`;
  if (!source) throw new Error("The demo has no set");
  await sql`INSERT INTO media (id, short_id, slug, type, title, publish_at, status, access, allow_download, photo_count, color)
    SELECT ${id}, ${id.slice(0, 8)}, ${slug}, type, title, now() - interval '1 year', status, 'subscriber', true, ${count}, color
    FROM media WHERE id = ${source.id}`;
  await sql`INSERT INTO photos (media_id, number, position, alt, width, height, widest, color, source_hash)
    SELECT ${id}, n, n, alt, width, height, widest, color, source_hash FROM generate_series(1, ${count}::int) n
    JOIN photos ON media_id = ${source.id} AND number = (n - 1) % ${source.photos}::int + 1`;
  await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
    SELECT ${id}, regexp_replace(name, '^photo-[0-9]+-', 'photo-' || n || '-'), storage_key, content_type, bytes, sha256,
      crc32, 'view', width, height
    FROM generate_series(1, ${count}::int) n JOIN media_files ON media_id = ${source.id}
      AND name LIKE concat('photo-', (n - 1) % ${source.photos}::int + 1, '-%')`;
  return slug;
}
