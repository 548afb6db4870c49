import { type CDPSession, expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { withDatabase } from "../support/browser/database.ts";
import { holdRequests } from "../support/browser/paused-requests.ts";
import { signInAsNewMember, signInAsNewSubscriber } from "../support/browser/people.ts";
import { withPhotoSet } from "../support/browser/photo-sets.ts";
import { savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

const RESTS_MS = 200;
const MIDDLE = 400;
type Point = { x: number; y: number; id?: number };

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("a set is browsed by touch, a photo becomes a favorite, and Back and the next visit return to the photo", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await page.goto("/content/photoSet?sort=title");
  const set = (await page.getByRole("article").nth(2).getByRole("link").first().getAttribute("href")) ?? "";
  await page.goto(set);
  await untilScriptsRun(page);
  const fingers = await page.context().newCDPSession(page);
  const lightbox = page.getByRole("dialog");

  await page.getByRole("link", { name: /Photo 2 of/ }).tap();
  await expect(lightbox.getByText(/^2 of \d+$/)).toBeVisible();
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
  expect(await findViolations(page)).toEqual([]);
  const saved = savedProgress(page, (progress) => progress === 3);
  await swipe(fingers, 330, 60);
  await expect(page).toHaveURL(`${set}/3`);
  await saved;

  const fitted = await shownWidth(page);
  await pinch(fingers, 20, 220);
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(fitted * 1.5);
  await lightbox.getByRole("button", { name: "Zoom" }).tap();
  await expect.poll(() => shownWidth(page)).toBeCloseTo(fitted, 0);

  const kept = page.waitForResponse((response) => response.url().endsWith("/api/favorites"));
  await lightbox.getByRole("button", { name: "Favorite: photo 3" }).tap();
  expect((await kept).status()).toBe(200);
  await lightbox.getByRole("button", { name: "Start slideshow" }).tap();
  await lightbox.getByLabel("Seconds per photo").selectOption("3");
  await expect(page).toHaveURL(`${set}/4`);
  await lightbox.getByRole("button", { name: "Stop slideshow" }).tap();

  await page.goBack();
  await expect(lightbox).toHaveCount(0);
  await expect(page).toHaveURL(set);
  await expect(page.getByRole("link", { name: /Photo 4 of/ })).toBeFocused();
  await expect(page.getByRole("link", { name: /Photo 3 of \d+, a favorite$/ })).toBeVisible();
  await page.getByRole("link", { name: /^Continue at photo 4/ }).tap();
  await expect(lightbox.getByText(/^4 of \d+$/)).toBeVisible();
  await page.goBack();
  await expect(lightbox).toHaveCount(0);

  await page.goto("/user/favorites?type=photo");
  await page.getByRole("article").getByRole("link").click();
  await expect(page).toHaveURL(`${set}/3`);
  await untilScriptsRun(page);
  await page.getByRole("link", { name: "Enlarge photo 3" }).tap();
  // It takes the focus when it listens.
  await expect(lightbox).toBeFocused();
  await swipe(fingers, 60, 330);
  await expect(page).toHaveURL(`${set}/2`);
  await lightbox.getByRole("button", { name: "Close" }).tap();
  await expect(lightbox).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/2 of \d+/);
});

test("keys turn the photos and close the lightbox, and reduced motion means no slideshow", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAsNewSubscriber(page);
  await page.goto("/content/photoSet?sort=title");
  await page.goto(
    (await page.getByRole("article").first().getByRole("link").first().getAttribute("href")) ?? "",
  );
  await untilScriptsRun(page);
  const set = page.url();
  const lightbox = page.getByRole("dialog");
  await page.getByRole("link", { name: /Photo 1 of/ }).press("Enter");
  await expect(lightbox.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(lightbox.getByRole("button", { name: "Start slideshow" })).toHaveCount(0);
  await page.keyboard.press("End");
  await expect(lightbox.getByText(/^(\d+) of \1$/)).toBeVisible();
  await page.keyboard.press("Home");
  await expect(lightbox.getByText(/^1 of \d+$/)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(`${set}/2`);
  const focused = new Set<string>();
  for (let step = 0; step < 24; step++) {
    await page.keyboard.press("Tab");
    const at = await lightbox.evaluate((root) => {
      const element = document.activeElement;
      // After the last button comes the browser's own window.
      if (element === document.body) return "the browser";
      return root.contains(element)
        ? (element?.getAttribute("aria-label") ?? "the lightbox")
        : "behind the lightbox";
    });
    focused.add(at);
  }
  expect([...focused]).not.toContain("behind the lightbox");
  expect([...focused]).toEqual(
    expect.arrayContaining(["Full screen", "Close", "Next photo", "Open the page of photo 2"]),
  );
  await page.keyboard.press("Escape");
  await expect(lightbox).toHaveCount(0);
  await expect(page).toHaveURL(set);
  await expect(page.getByRole("link", { name: /Photo 2 of/ })).toBeFocused();
});

test("a set is browsed without swipes, and hidden buttons cannot be pressed", async ({ page }) => {
  await signInAsNewSubscriber(page);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await expect(lightbox).toBeFocused();
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await expect(page).toHaveURL(`${path}/3`);
    await lightbox.getByRole("button", { name: "Previous photo" }).tap();
    await expect(page).toHaveURL(`${path}/2`);

    const fitted = await shownWidth(page);
    for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(195, MIDDLE);
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(fitted * 1.2);
    for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(195, MIDDLE);
    await expect.poll(() => shownWidth(page)).toBeCloseTo(fitted, 0);

    const heart = lightbox.getByRole("button", { name: "Favorite: photo 2" });
    const next = lightbox.getByRole("button", { name: "Next photo" });
    const stood = (await heart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.touchscreen.tap(195, MIDDLE);
    await expect(heart).toBeHidden();
    await expect(next).toBeHidden();
    await page.touchscreen.tap(stood.x + stood.width / 2, stood.y + stood.height / 2);
    // Another tap shows them again; after it, the one before has had its effect.
    await expect(heart).toBeVisible();
    expect(sent).not.toContain("POST /api/favorites");
    await page.touchscreen.tap(195, MIDDLE);
    await expect(heart).toBeHidden();
    await page.keyboard.press("Tab");
    await expect(heart).toBeVisible();
    expect(await lightbox.evaluate((root) => root.contains(document.activeElement))).toBe(true);
  });
});

test("a favorite that was not saved says so below the bar until the photo is turned", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    const heart = lightbox.getByRole("button", { name: "Favorite: photo 2" });
    const counter = lightbox.getByText("2 of 5");
    await expect(counter).toBeVisible();
    const stood = await counter.boundingBox();
    const says = lightbox.getByRole("status").filter({ hasText: "not saved" });
    for (const [status, words] of [
      [403, "Photo 2: not saved, because you no longer have access to it."],
      [500, "Photo 2: not saved. Try again."],
    ] as const) {
      await page.route("**/api/favorites", (route) => route.fulfill({ status }));
      await heart.tap();
      await expect(says).toHaveText(words);
      await expect(heart).toHaveAttribute("aria-pressed", "false");
      expect(await findViolations(page)).toEqual([]);
      await page.unroute("**/api/favorites");
    }
    const [message, bar] = await Promise.all([says.boundingBox(), heart.boundingBox()]);
    expect(message?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 1);
    expect(message?.x).toBeGreaterThanOrEqual(0);
    expect((message?.x ?? 0) + (message?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await counter.boundingBox()).toEqual(stood);
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await expect(says).toHaveCount(0);
  });
});

test("the page below shows the last press of a heart in the lightbox, saved or not", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    const lightbox = page.getByRole("dialog");
    const inGrid = page.getByRole("link", { name: /Photo 2 of 5, a favorite$/ });
    const heart = page.getByRole("button", { name: /^Favorite ?: photo 2 of/ });
    /** Presses the heart, and closes the lightbox before the site answers with this status. */
    const pressAndClose = async (address: string, status: number) => {
      await page.goto(address);
      await untilScriptsRun(page);
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      const answer = async (route: Route) => {
        await isReleased;
        await (status === 200 ? route.continue() : route.fulfill({ status }));
      };
      await page.route("**/api/favorites*", answer, { times: 1 });
      await page.getByRole("link", { name: /Photo 2 of|Enlarge photo 2/ }).tap();
      await lightbox.getByRole("button", { name: "Favorite: photo 2" }).tap();
      const loaded = page.waitForResponse((response) => response.url().includes(".data"));
      await lightbox.getByRole("button", { name: "Close" }).tap();
      await expect(lightbox).toHaveCount(0);
      await loaded;
      const answered = page.waitForResponse("**/api/favorites*");
      release();
      await answered;
    };

    await pressAndClose(path, 200);
    await expect(inGrid).toBeVisible();
    await pressAndClose(`${path}/2`, 200);
    await expect(heart).toHaveAttribute("aria-pressed", "false");
    await page.reload();
    await expect(heart).toHaveAttribute("aria-pressed", "false");

    for (const address of [path, `${path}/2`]) {
      await pressAndClose(address, 500);
      await expect(page.getByText("Favorite not saved. Try again.")).toBeVisible();
      expect(await findViolations(page)).toEqual([]);
    }
    await expect(heart).toHaveAttribute("aria-pressed", "false");
  });
});

test("a favorite of a photo or a card that cannot be saved says so beside it, and the page stays", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ id, path }) => {
    for (const [address, title] of [
      [`${path}/2`, /2 of 5/],
      ["/content/video", /Videos/],
    ] as const) {
      await page.goto(address);
      await untilScriptsRun(page);
      const heart = page.getByRole("button", { name: /^Favorite/ }).first();
      const says = page.getByRole("alert");
      await page.context().setOffline(true);
      await heart.tap();
      await expect(says).toHaveText("Favorite not saved. Try again.");
      await expect(heart).toHaveAttribute("aria-pressed", "false");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
      expect(await findViolations(page)).toEqual([]);
      const [stood, width] = [await says.boundingBox(), 390];
      expect(stood?.x).toBeGreaterThanOrEqual(0);
      expect((stood?.x ?? 0) + (stood?.width ?? 0)).toBeLessThanOrEqual(width);
      await page.context().setOffline(false);

      const limited = { retryAfterSeconds: 30, isShared: false };
      const headers = { "Retry-After": "30" };
      await page.route("**/api/favorites*", (route) =>
        route.fulfill({ status: 429, headers, json: limited }),
      );
      await heart.tap();
      await expect(says).toHaveText(
        "Favorite not saved, because there were too many tries in a short time. Try again in 30 seconds.",
      );
      await page.unrouteAll();
      await heart.tap();
      await expect(heart).toHaveAttribute("aria-pressed", "true");
      await expect(says).toHaveCount(0);
    }
    await page.goto(`${path}/3`);
    await untilScriptsRun(page);
    await withDatabase((sql) => sql`UPDATE media SET status = 'hidden' WHERE id = ${id}`);
    await page.getByRole("button", { name: /^Favorite/ }).tap();
    await expect(page.getByRole("alert")).toHaveText(
      "Favorite not saved, because you no longer have access to it.",
    );
    await expect(page.getByRole("heading", { level: 1 })).toContainText("3 of 5");
  });
});

test("a pressed photo shows that the lightbox is loading, even with reduced motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    const lightbox = page.getByRole("dialog");
    for (const name of [/Photo 2 of/, "View 5 photos"]) {
      await page.goto(path);
      await untilScriptsRun(page);
      const release = await holdRequests(page, "**/photos.json");
      const link = page.getByRole("link", { name });
      const mark = () =>
        link.evaluate((element) => {
          const { content, animationName } = getComputedStyle(element, "::after");
          return content === "none" ? null : animationName;
        });
      expect(await mark()).toBeNull();
      await link.tap();
      await expect(link).toHaveAttribute("aria-busy", "true");
      expect(await mark()).toBe("none");
      release();
      await expect(lightbox).toBeFocused();
      await expect(link).not.toHaveAttribute("aria-busy");
      expect(await mark()).toBeNull();
    }
  });
});

test("without JavaScript a photo becomes a favorite, is found there, and its set is saved in one file", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.goto(path);
    await page.getByRole("link", { name: /Photo 2 of/ }).click();
    await expect(page).toHaveURL(`${path}/2`);
    const heart = page.getByRole("button", { name: /^Favorite ?: photo 2 of/ });
    await heart.click();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await page.goto("/user/favorites");
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Photos/ })
      .click();
    await page.getByRole("article").getByRole("link").click();
    await expect(page).toHaveURL(`${path}/2`);
    await page.getByRole("heading", { level: 1 }).getByRole("link").click();
    await expect(page.getByRole("link", { name: /Photo 2 of 5, a favorite$/ })).toBeVisible();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Download all/ }).click();
    expect((await downloading).suggestedFilename()).toBe("Zinnias, many.zip");
  });
  await context.close();
});

test("what is pressed while the lightbox opens counts once it is open", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    const photo = page.getByRole("link", { name: /Photo 2 of/ });
    await whileOpening(page, photo, { clicks: ["arrow--next"] });
    await expect(lightbox.getByText("3 of 5")).toBeVisible();
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
    await page.goBack();
    await expect(lightbox).toHaveCount(0);

    await whileOpening(page, photo, { goesBack: true });
    await expect(lightbox).toHaveCount(0);
    await expect(page).toHaveURL(path);
    await expect(photo).toBeFocused();
  });
});

test("a failed photo loads when it is shown again or the network is back, and one without access says so", async ({
  page,
}) => {
  const email = await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 12 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    const failed = lightbox.locator(".pswp__item[aria-hidden=false]").getByText("could not be loaded");
    await page.route(/\/photo-3-/, (route) => route.abort());
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await expect(lightbox).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(failed).toBeVisible();
    await page.unroute(/\/photo-3-/);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
    await page.keyboard.press("ArrowRight");
    await expect(lightbox.getByText("3 of 12")).toBeVisible();
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);

    await page.context().setOffline(true);
    await page.keyboard.press("End");
    await expect(failed).toBeVisible();
    await page.context().setOffline(false);
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);

    await withDatabase(
      (sql) => sql`DELETE FROM subscriptions WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
    );
    // A decision about a picture may be some seconds old.
    await page.route(/\/photo-\d+-/, (route) => route.fulfill({ status: 403 }));
    // Past those that were loaded ahead.
    for (let turn = 0; turn < 4; turn += 1) await page.keyboard.press("ArrowLeft");
    await expect(lightbox.getByText("8 of 12")).toBeVisible();
    const photo = lightbox.locator(".pswp__item[aria-hidden=false]");
    await expect(photo.getByText("You no longer have access to this photo.")).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    const lists: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/photos.json")) lists.push(request.url());
    });
    await page.keyboard.press("ArrowLeft");
    await expect(lightbox.getByText("7 of 12")).toBeVisible();
    await expect(photo.getByText("You no longer have access to this photo.")).toBeVisible();
    expect(lists).toEqual([]);
  });
});

test.describe("on a screen with three device pixels per pixel", () => {
  test.use({ deviceScaleFactor: 3 });

  test("a double tap enlarges a photo that is already shown pixel for pixel", async ({ page }) => {
    await signInAsNewSubscriber(page);
    await withPhotoSet({ count: 5 }, async ({ id, path }) => {
      await withDatabase((sql) => sql`UPDATE photos SET widest = 960 WHERE media_id = ${id}`);
      await page.goto(path);
      await untilScriptsRun(page);
      await page.getByRole("link", { name: /Photo 2 of/ }).tap();
      await expect(page.getByRole("dialog")).toBeFocused();
      await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
      const fitted = await shownWidth(page);
      for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(195, MIDDLE);
      await expect.poll(() => shownWidth(page)).toBeCloseTo(2 * fitted, 0);
    });
  });
});

test("a slideshow waits for loading and for touches, keeps the screen on, and ends with the last photo", async ({
  page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem("slideshow", "15");
    let locks = 0;
    const request = async () => {
      locks += 1;
      const release = async () => {
        locks -= 1;
      };
      return { release };
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
    Object.defineProperty(window, "screenLocks", { get: () => locks });
  });
  await page.clock.install();
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 6 }, async ({ path }) => {
    const waiting: Route[] = [];
    await page.goto(path);
    await untilScriptsRun(page);
    await page.route(/\/photo-4-/, (route) => void waiting.push(route));
    const lightbox = page.getByRole("dialog");
    const fingers = await page.context().newCDPSession(page);
    const locks = () => page.evaluate(() => (window as unknown as { screenLocks: number }).screenLocks);
    const drawn = () =>
      page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const expectAt = async (position: number) => {
      await drawn();
      await expect(lightbox.getByText(/^\d of 6$/)).toHaveText(`${position} of 6`);
    };
    const expectWaitingAt = async (position: number) => {
      await drawn();
      await page.clock.fastForward(60_000);
      await expectAt(position);
    };
    const expectTurningTo = async (position: number) => {
      await expect(async () => {
        await page.clock.fastForward(15_000);
        await expect(lightbox.getByText(`${position} of 6`)).toBeVisible({ timeout: 5_000 });
      }).toPass();
    };
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await expect(lightbox).toBeFocused();
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
    expect(await locks()).toBe(0);
    await lightbox.getByRole("button", { name: "Start slideshow" }).tap();
    await expect(lightbox.getByLabel("Seconds per photo")).toHaveValue("15");
    await expect.poll(locks).toBe(1);

    await turnTab(page, "hidden");
    await expect.poll(locks).toBe(0);
    await expectWaitingAt(2);
    await turnTab(page, "visible");
    await expect.poll(locks).toBe(1);

    const touch = (type: "touchStart" | "touchEnd", touchPoints: Point[]) =>
      fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: 195, y: MIDDLE }]);
    await expectWaitingAt(2);
    await touch("touchEnd", []);
    // A tap hides the buttons, once it is clear that no second one follows.
    await expect(lightbox).not.toHaveClass(/pswp--ui-visible/);
    await page.keyboard.press("Tab");
    await expect(lightbox).toHaveClass(/pswp--ui-visible/);

    const fitted = await shownWidth(page);
    await page.keyboard.press("z");
    await expect(lightbox).toHaveClass(/pswp--zoomed-in/);
    await expectWaitingAt(2);
    await page.keyboard.press("z");
    await expect.poll(() => shownWidth(page)).toBeCloseTo(fitted, 0);
    await expectTurningTo(3);

    await expectTurningTo(4);
    await expectWaitingAt(4);
    expect(waiting.length).toBeGreaterThan(0);
    for (const route of waiting) await route.continue();
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
    await expectTurningTo(5);
    await expectTurningTo(6);
    await expect(lightbox.getByRole("button", { name: "Start slideshow" })).toBeVisible();
    await expect.poll(locks).toBe(0);
    await expectWaitingAt(6);
    await lightbox.getByRole("button", { name: "Start slideshow" }).tap();
    await expectAt(1);
  });
});

test("a photo's neighbors are loaded ahead, and no others", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 60 }, async ({ path }) => {
    await page.goto(`${path}/30`);
    await untilScriptsRun(page);
    const loaded = new Set<number>();
    page.on("request", (request) => {
      const [, number] = /\/photo-(\d+)-/.exec(request.url()) ?? [];
      if (number) loaded.add(Number(number));
    });
    await page.getByRole("link", { name: "Enlarge photo 30" }).tap();
    await expect(page.getByRole("dialog")).toBeFocused();
    await expect.poll(() => [...loaded]).toEqual(expect.arrayContaining([29, 31, 32]));
    expect([...loaded].filter((number) => number < 29 || number > 32)).toEqual([]);
  });
});

test("without the list of photos the links lead to the photo's page and to its file", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.route("**/photos.json", (route) => route.fulfill({ status: 500 }));
    await page.goto(path);
    await untilScriptsRun(page);
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("2 of 5");
    await expect(page).toHaveURL(`${path}/2`);
    await page.route("**/photos.json", (route) => route.abort());
    await page.getByRole("link", { name: "Enlarge photo 2" }).tap();
    await expect(page).toHaveURL(/\/photo-2-\d+\.\w+$/);
  });
});

test("one photo is downloaded from the lightbox, and its page is one step away", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 5 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    const downloading = page.waitForEvent("download");
    await lightbox.getByRole("link", { name: /^Download photo 3, / }).tap();
    expect((await downloading).suggestedFilename()).toMatch(/^photo-3-\d+\.(jpg|webp)$/);
    await lightbox.getByRole("link", { name: "Open the page of photo 3" }).tap();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("3 of 5");
    await expect(lightbox).toHaveCount(0);
    await expect(page).toHaveURL(`${path}/3`);
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("link", { name: /Photo 3 of/ })).toBeVisible();
  });
});

test("a large set closes at the photo that was shown, on its page of the grid, and reloads in place", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 205 }, async ({ path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    const lightbox = page.getByRole("dialog");
    await page.getByRole("link", { name: /Photo 100 of/ }).tap();
    await expect(lightbox.getByText("100 of 205")).toBeVisible();
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await expect(page).toHaveURL(`${path}/101`);
    await lightbox.getByRole("button", { name: "Close" }).tap();
    await expect(page).toHaveURL(`${path}?page=2`);
    await expect(page.getByRole("link", { name: /Photo 101 of/ })).toBeFocused();
    await expect(page.getByRole("link", { name: /Photo 101 of/ })).toBeInViewport();

    const photo = page.getByRole("link", { name: /Photo 160 of/ });
    await photo.tap();
    await expect(lightbox.getByText("160 of 205")).toBeVisible();
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await expect(page).toHaveURL(`${path}/161`);
    const scrolled = await page.evaluate(() => window.scrollY);
    expect(scrolled).toBeGreaterThan(500);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("161 of 205");
    await untilScriptsRun(page);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(`${path}?page=2`);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);

    await page.goto(`${path}/150`);
    await page.getByRole("heading", { level: 1 }).getByRole("link").tap();
    await expect(page).toHaveURL(`${path}?page=2`);
    await page.goto(`${path}/150`);
    await untilScriptsRun(page);
    await page.getByRole("link", { name: "Enlarge photo 150" }).tap();
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await lightbox.getByRole("button", { name: "Close" }).tap();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("151 of 205");
    await expect(page.getByRole("link", { name: "Enlarge photo 151" })).toBeFocused();
  });
});

test("a locked set shows its free photos under their own numbers, and records no progress", async ({
  page,
}) => {
  await signInAsNewMember(page);
  await withPhotoSet({ count: 75, free: [2, 12] }, async ({ id, path }) => {
    await page.goto(path);
    await untilScriptsRun(page);
    await expect(page.getByRole("heading", { name: "2 free photos" })).toBeVisible();
    const lightbox = page.getByRole("dialog");
    await page.getByRole("link", { name: /Photo 2 of/ }).tap();
    await expect(lightbox.getByText("2 of 75")).toBeVisible();
    await expect(lightbox.getByRole("link", { name: /^Download/ })).toHaveCount(0);
    await lightbox.getByRole("button", { name: "Next photo" }).tap();
    await expect(lightbox.getByText("12 of 75")).toBeVisible();
    await expect(page).toHaveURL(`${path}/12`);
    await expect(lightbox.getByRole("button", { name: "Next photo" })).toBeHidden();
    // Longer than a photo is looked at before it is recorded.
    await page.waitForTimeout(1_000);
    await lightbox.getByRole("button", { name: "Close" }).tap();
    await expect(page.getByRole("link", { name: /Photo 12 of/ })).toBeFocused();
    expect(await withDatabase((sql) => sql`SELECT FROM views WHERE media_id = ${id}`)).toHaveLength(0);

    await page.goto(`${path}/2`);
    await untilScriptsRun(page);
    await expect(page.getByRole("link", { name: "Previous" })).toHaveCount(0);
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(`${path}/12`);
    await expect(page.getByRole("link", { name: "Enlarge photo 12" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Next" })).toHaveCount(0);
    await page.getByRole("link", { name: "Previous" }).tap();
    await expect(page).toHaveURL(`${path}/2`);
    await page.goto(`${path}/5`);
    await expect(page.getByRole("link", { name: "Next" })).toHaveAttribute("href", `${path}/12`);
  });
});

test("scrolling over photos by touch loads nothing", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await withPhotoSet({ count: 60 }, async ({ path }) => {
    const lists: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/photos.json")) lists.push(request.url());
    });
    await page.goto(path);
    await untilScriptsRun(page);
    await page.getByRole("link", { name: /Photo 8 of/ }).scrollIntoViewIfNeeded();
    const fingers = await page.context().newCDPSession(page);
    const before = await page.evaluate(() => window.scrollY);
    await drag(fingers, (part) => [{ x: 195, y: 700 - 500 * part }]);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before);
    expect(lists).toEqual([]);
    await page.getByRole("link", { name: /Photo 20 of/ }).tap();
    await expect(page.getByRole("dialog").getByText("20 of 60")).toBeVisible();
    expect(lists).toHaveLength(1);
  });
});

test.describe("with a mouse", () => {
  // Smaller than the demo's photos.
  test.use({ viewport: { width: 800, height: 560 }, hasTouch: false, isMobile: false });

  test("the wheel zooms, arrows pan a zoomed photo to its edge before they turn, and 1:1 is pixel for pixel", async ({
    page,
  }) => {
    await signInAsNewSubscriber(page);
    await withPhotoSet({ count: 5 }, async ({ path }) => {
      await page.goto(path);
      await untilScriptsRun(page);
      const lightbox = page.getByRole("dialog");
      const list = await (await page.request.get(`${path}/photos.json`)).json();
      const largest = Math.max(...list.photos[1].picture.widths);
      await page.getByRole("link", { name: /Photo 2 of/ }).click();
      await expect(lightbox).toBeFocused();
      await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
      const fitted = await shownWidth(page);
      expect(fitted).toBeLessThan(largest);
      await page.keyboard.press("z");
      await expect.poll(() => shownWidth(page)).toBeCloseTo(largest, 0);
      await page.keyboard.press("z");
      await expect.poll(() => shownWidth(page)).toBeCloseTo(fitted, 0);

      await page.mouse.move(400, 300);
      await page.mouse.wheel(0, -2_000);
      await expect.poll(() => shownWidth(page)).toBeGreaterThan(1_400);
      let presses = 0;
      for (; presses < 60 && new URL(page.url()).pathname === `${path}/2`; presses += 1) {
        const x = await shownLeft(page);
        await page.keyboard.press("ArrowRight");
        await expect(async () => {
          expect((await shownLeft(page)) < x || new URL(page.url()).pathname === `${path}/3`).toBe(true);
        }).toPass();
      }
      expect(presses).toBeGreaterThan(2);
      await expect(lightbox.getByText("3 of 5")).toBeVisible();
    });
  });

  test("a heart that was just pressed on a photo's page is filled in the lightbox", async ({ page }) => {
    await signInAsNewSubscriber(page);
    await withPhotoSet({ count: 5 }, async ({ path }) => {
      await page.goto(`${path}/2`);
      await untilScriptsRun(page);
      const photo = page.getByRole("link", { name: "Enlarge photo 2" });
      const heart = page.getByRole("button", { name: /^Favorite ?: photo 2 of/ });
      const inLightbox = page.getByRole("dialog").getByRole("button", { name: "Favorite: photo 2" });
      for (const isPressed of ["true", "false"]) {
        const ahead = page.waitForResponse("**/photos.json");
        await photo.hover();
        await ahead;
        const saved = page.waitForResponse("**/api/favorites*");
        await heart.click();
        await saved;
        await photo.click();
        await expect(inLightbox).toHaveAttribute("aria-pressed", isPressed);
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
        await expect(page.getByRole("dialog")).toHaveCount(0);
        await expect(heart).toHaveAttribute("aria-pressed", isPressed);
      }
    });
  });

  test("a large set loads few pictures before scrolling", async ({ page }) => {
    await signInAsNewSubscriber(page);
    await withPhotoSet({ count: 205 }, async ({ path }) => {
      const pictures = new Set<string>();
      page.on("request", (request) => {
        const [, number] = /\/photo-(\d+)-/.exec(request.url()) ?? [];
        if (number) pictures.add(number);
      });
      for (const width of [390, 1920]) {
        pictures.clear();
        await page.setViewportSize({ width, height: 1_080 });
        await page.goto(path, { waitUntil: "networkidle" });
        expect(pictures.size, `${width} px`).toBeGreaterThan(5);
        expect(pictures.size, `${width} px`).toBeLessThanOrEqual(30);
      }
    });
  });

  test("in dark mode the pace is chosen with a mouse and remembered, and full screen can be left", async ({
    page,
  }) => {
    await signInAsNewSubscriber(page);
    const headers = { origin: new URL(page.url()).origin };
    await page.request.post("/api/color-mode", { form: { theme: "dark", next: "/" }, headers });
    await withPhotoSet({ count: 5 }, async ({ path }) => {
      await page.goto(path);
      await untilScriptsRun(page);
      const lightbox = page.getByRole("dialog");
      await page.getByRole("link", { name: /Photo 2 of/ }).click();
      await expect(lightbox).toBeFocused();
      await lightbox.getByRole("button", { name: "Start slideshow" }).click();
      const pace = lightbox.getByLabel("Seconds per photo");
      await expect(pace).toBeVisible();
      expect(await findViolations(page), "in dark mode").toEqual([]);
      // A popup of the browser may keep for itself that the button goes up.
      await pace.hover();
      await page.mouse.down();
      await pace.selectOption("3");
      await expect(page).toHaveURL(`${path}/3`);
      await page.mouse.up();
      await lightbox.getByRole("button", { name: "Stop slideshow" }).click();

      const full = lightbox.getByRole("button", { name: "Full screen" });
      await expect(full).toHaveAttribute("aria-pressed", "false");
      await full.click();
      await expect(full).toHaveAttribute("aria-pressed", "true");
      expect(await lightbox.evaluate((root) => document.fullscreenElement === root)).toBe(true);
      await full.click();
      await expect(full).toHaveAttribute("aria-pressed", "false");

      await page.reload();
      await untilScriptsRun(page);
      await page.getByRole("link", { name: "Enlarge photo" }).click();
      await expect(lightbox).toBeFocused();
      await lightbox.getByRole("button", { name: "Start slideshow" }).click();
      await expect(pace).toHaveValue("3");
    });
  });
});

/** As the browser does when its person looks at another tab. */
async function turnTab(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Presses a link that opens the lightbox, then buttons of PhotoSwipe or Back, before it is open. */
async function whileOpening(
  page: Page,
  link: Locator,
  pressed: { goesBack?: boolean; clicks?: string[] },
): Promise<void> {
  const acted = page.evaluate(async ({ goesBack, clicks = [] }) => {
    while (!document.querySelector(".pswp__own > *")) await new Promise(requestAnimationFrame);
    if (goesBack) {
      const isBack = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
      window.history.back();
      await isBack;
    }
    for (const name of clicks) document.querySelector<HTMLElement>(`.pswp__button--${name}`)?.click();
  }, pressed);
  await link.tap();
  await acted;
}

/** The width on the screen, whatever the zoom. */
function shownWidth(page: Page): Promise<number> {
  return page
    .locator(".pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)")
    .evaluateAll(([photo]) => photo?.getBoundingClientRect().width ?? 0);
}

function shownLeft(page: Page): Promise<number> {
  return page
    .locator(".pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)")
    .evaluateAll(([photo]) => photo?.getBoundingClientRect().x ?? 0);
}

async function swipe(fingers: CDPSession, from: number, to: number): Promise<void> {
  await drag(fingers, (part) => [{ x: from + (to - from) * part, y: MIDDLE }]);
}

async function pinch(fingers: CDPSession, from: number, to: number): Promise<void> {
  await drag(fingers, (part) => {
    const half = (from + (to - from) * part) / 2;
    return [
      { x: 195 - half, y: MIDDLE, id: 0 },
      { x: 195 + half, y: MIDDLE, id: 1 },
    ];
  });
}

async function drag(fingers: CDPSession, at: (part: number) => Point[]): Promise<void> {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", at(0));
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await send("touchMove", at(part));
  // Chromium takes a tap after a fling for its end: the finger rests before it is lifted.
  await new Promise((resolve) => setTimeout(resolve, RESTS_MS));
  await send("touchEnd", []);
}
