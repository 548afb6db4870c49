import { expect, type Locator, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { holdRequests } from "../support/browser/paused-requests.ts";
import { signInAsNewSubscriber } from "../support/browser/people.ts";
import { openVideo, play, position, savedProgress, storedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

test.beforeEach(async ({ page }) => {
  await signInAsNewSubscriber(page);
});

test("a video resumes at its progress, starts over, and a favorite does not disturb it", async ({ page }) => {
  const { title } = await openVideo(page);
  await play(page);
  const saved = savedProgress(page, (progress) => progress > 3);
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  expect(await saved).toBeGreaterThan(3);

  await play(page);
  const favorite = page.getByRole("button", { name: /^Favorite/ }).first();
  await favorite.scrollIntoViewIfNeeded();
  const stood = await favorite.boundingBox();
  const loaded = page.waitForResponse((response) => response.url().startsWith(`${page.url()}.data`));
  await favorite.click();
  await loaded;
  await expect(favorite).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  expect((await favorite.boundingBox())?.y, "nothing moves it from under the pointer").toBe(stood?.y);
  await page.keyboard.press("k");

  await page.goto("/");
  await page.getByRole("link", { name: `Resume ${title}` }).click();
  await expect(page.locator("video source").first()).toHaveAttribute("src", /#t=\d+$/);
  await expect.poll(() => position(page)).toBeGreaterThan(2);

  // The video plays on and starts again, so that leaving the page could send progress that undoes the reset.
  await play(page);
  const release = await holdRequests(page, "**/content/video/*.data*");
  const reset = page.waitForResponse("**/api/views/start-over*");
  await page.getByRole("button", { name: "Start over" }).click();
  await reset;
  await page.locator("video").evaluate(async (video: HTMLVideoElement) => {
    video.pause();
    await video.play();
  });
  // Reports are numbered by the time when the page was rendered, which is a little behind the server's clock.
  await page.waitForTimeout(1_000);
  release();
  await expect(page.getByText(/You stopped at/)).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await expect(page.locator("video source").first()).not.toHaveAttribute("src", /#t=/);
});

test("a video says that its viewer plays too many, and starts once another has ended", async ({
  page,
  context,
}) => {
  await context.clearCookies();
  const email = await signInAsNewSubscriber(page, "/content/video");
  const setSlots = (interval: string) =>
    withDatabase(
      (sql) => sql`INSERT INTO video_slots (holder_id, slot, lease_id, renewed_at)
        SELECT id, slot, gen_random_uuid(), now() + ${interval}::interval
        FROM users, generate_series(1, 6) AS slots(slot) WHERE email = ${email}
        ON CONFLICT (holder_id, slot) DO UPDATE SET lease_id = excluded.lease_id, renewed_at = excluded.renewed_at`,
    );
  await setSlots("1 hour");
  await withoutLadder(page);
  await openVideo(page);
  const problem = page.getByRole("alert").filter({ hasText: "as many videos as you can" });
  await expect(problem).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(problem).toBeVisible();
  await setSlots("-1 minute");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(problem).toHaveCount(0);
  await expect(page.locator("video"), "nobody has pressed play").toHaveJSProperty("paused", true);
  await play(page, 0.5);
});

test("unsent progress is retried, and sent once more when the video is next opened", async ({ page }) => {
  await openVideo(page);
  let isDown = true;
  const arrived: string[] = [];
  await page.route("**/api/views", async (route) => {
    if (isDown) return route.abort();
    arrived.push(route.request().postData() ?? "");
    return route.continue();
  });
  await play(page);
  await page.keyboard.press("4");
  await page.keyboard.press("k");
  isDown = false;
  await expect.poll(() => arrived.length).toBeGreaterThan(0);
  await expect.poll(() => storedProgress(page)).toBe(0);

  isDown = true;
  await page.keyboard.press("6");
  await expect.poll(() => storedProgress(page)).toBe(1);
  const unsent = await position(page);
  // A browser takes a beacon also where there is no network.
  await page.addInitScript(() => {
    navigator.sendBeacon = () => true;
  });
  await page.evaluate(() => {
    navigator.sendBeacon = () => true;
  });
  await page.goto("/about");
  await page.goBack();
  await untilScriptsRun(page);
  await expect.poll(() => position(page), "where it was, not where the site knows it").toBeCloseTo(unsent, 0);
  await page.goto("/about");
  isDown = false;
  arrived.length = 0;
  await page.goBack();
  await untilScriptsRun(page);
  await expect.poll(() => arrived.length).toBeGreaterThan(0);
  await expect.poll(() => storedProgress(page)).toBe(0);
});

test("home and the history show the progress of a video left by a link, although it is saved after they open", async ({
  page,
}) => {
  const { title } = await openVideo(page);
  await play(page);
  // This is the last pending save before the video is left: the next is due ten seconds later.
  const saved = savedProgress(page, (progress) => progress > 4);
  await page.keyboard.press("2");
  const sought = await saved;
  await expect.poll(() => storedProgress(page)).toBe(0);
  await expect.poll(() => position(page)).toBeGreaterThan(sought + 2);

  await page.route("**/api/views", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  const read: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".data")) read.push(pathname);
  });
  const left = Math.floor(await position(page));
  await page.locator("header a[href='/']").first().click();
  const card = page.getByRole("article").filter({ has: page.getByRole("link", { name: `Resume ${title}` }) });
  await expect.poll(async () => secondsIn(await card.textContent())).toBeGreaterThanOrEqual(left);
  await page.waitForTimeout(1_500);
  expect(read, "once on opening and once when the place is saved").toEqual(["/_root.data", "/_root.data"]);

  await page.getByRole("link", { name: /^History/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("History");
  const entry = page.getByRole("article").filter({ hasText: title });
  await entry.getByRole("link").click();
  await expect(page.locator("video")).toBeVisible();
  await play(page, left);
  const playedTo = Math.floor(await position(page));
  await page.goBack();
  await expect.poll(async () => secondsIn(await entry.textContent())).toBeGreaterThanOrEqual(playedTo);
});

test("progress is saved even when the video started before the scripts loaded", async ({ page }) => {
  const { title } = await openVideo(page);
  const release = await holdRequests(page, "**/*.js");
  await page.reload({ waitUntil: "commit" });
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.play());
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  release();
  await untilScriptsRun(page);
  const saved = savedProgress(page, (progress) => progress > 1);
  await page.locator("h1").click();
  await page.keyboard.press("k");
  await saved;
  await page.goto("/");
  await expect(page.getByRole("link", { name: `Resume ${title}` })).toBeVisible();
});

test("progress sent on leaving a video is not sent again, and no unsent progress outlives Forget or a sign-out", async ({
  page,
}) => {
  await openVideo(page);
  const url = page.url();
  const first = savedProgress(page, () => true);
  await play(page);
  await first;
  await expect.poll(() => storedProgress(page)).toBe(0);
  await page.goto("/user/history");
  expect(await storedProgress(page)).toBe(0);

  await page.reload();
  await untilScriptsRun(page);
  await page.evaluate(() => sessionStorage.setItem("progress:someone:other", "{}"));
  await page
    .getByRole("button", { name: /^Forget/ })
    .first()
    .click();
  await expect(page.getByText("Nothing opened yet")).toBeVisible();
  expect(await storedProgress(page)).toBe(1);
  await page.goto(url);
  await expect(page.locator("video")).toBeVisible();
  await page.goto("/user/history");
  await expect(page.getByText("Nothing opened yet")).toBeVisible();

  await page.goto(url);
  const saved = savedProgress(page, () => true);
  await play(page);
  await page.keyboard.press("k");
  await saved;
  await page.goto("/user/history");
  await untilScriptsRun(page);
  const [question, warning] = [
    page.getByText("Forget everything …"),
    page.getByText("You lose all your progress."),
  ];
  const answer = page.getByRole("button", { name: "Forget everything" });
  const before = await question.boundingBox();
  await question.click();
  expect(await question.boundingBox()).toEqual(before);
  const [asked, warned] = [await edgesOf(question), await edgesOf(warning)];
  expect(warned.top - asked.bottom).toBeGreaterThanOrEqual(8);
  expect((await edgesOf(answer)).top - warned.bottom).toBeGreaterThanOrEqual(8);
  await answer.click();
  await expect(page.getByText("Nothing opened yet")).toBeVisible();
  expect(await storedProgress(page)).toBe(0);

  await page.evaluate(() => sessionStorage.setItem("progress:someone:other", "{}"));
  await page.locator("form[action='/signout']").evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(page).toHaveURL(/\/signin/);
  expect(await storedProgress(page)).toBe(0);
});

test("photos turn by key and by swipe, and the set saves the last opened photo", async ({ page }) => {
  await page.goto("/content/photoSet?sort=title");
  await page.getByRole("article").nth(2).getByRole("link").first().click();
  await page.goto((await page.locator("main ol a").first().getAttribute("href")) ?? "");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(/1 of \d+/);
  await untilScriptsRun(page);
  await page.keyboard.press("ArrowRight");
  await expect(heading).toContainText(/2 of \d+/);
  await swipe(page, 300, 80);
  await expect(heading).toContainText(/3 of \d+/);
  await swipe(page, 80, 300);
  await expect(heading).toContainText(/2 of \d+/);
  await page.keyboard.press("ArrowRight");
  await expect(heading).toContainText(/3 of \d+/);
  const saved = savedProgress(page, (progress) => progress === 4);
  await page.keyboard.press("ArrowRight");
  await expect(heading).toContainText(/4 of \d+/);
  expect(await saved).toBe(4);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: /Continue at photo 4/ })).toBeVisible();
});

/** The page's own MP4s play then. */
async function withoutLadder(page: Page): Promise<void> {
  await page.route("**/master.m3u8", (route) => route.fulfill({ status: 404 }));
}

/** "0:07 of 0:12" and "Stopped at 0:07" are 7; no time is -1. */
function secondsIn(text: string | null): number {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text ?? "") ?? [];
  return minutes === undefined ? -1 : Number(minutes) * 60 + Number(seconds);
}

/** Simulates a phone's touch events; the mouse of a desktop does not turn pages. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  await page.locator("main picture").evaluate(
    (element, [start, end]) => {
      const touch = (x: number) => new Touch({ identifier: 1, target: element, clientX: x, clientY: 200 });
      const fire = (type: string, x: number, isDown: boolean) =>
        element.dispatchEvent(
          new TouchEvent(type, {
            bubbles: true,
            touches: isDown ? [touch(x)] : [],
            changedTouches: [touch(x)],
          }),
        );
      fire("touchstart", start ?? 0, true);
      fire("touchend", end ?? 0, false);
    },
    [from, to],
  );
}

async function edgesOf(part: Locator): Promise<{ top: number; bottom: number }> {
  const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  return { top: y, bottom: y + height };
}
