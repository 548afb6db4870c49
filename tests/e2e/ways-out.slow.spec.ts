import { expect, test } from "@playwright/test";
import { signInAsNewSubscriber } from "../support/browser/people.ts";
import { openVideo, play, position, savedProgress } from "../support/browser/progress.ts";
import { share } from "../support/browser/shared-site.ts";
import { chooseSite, SITES } from "../support/browser/sites.ts";

const NAMES = { none: "without nginx", nginx: "behind nginx" };

for (const site of SITES) {
  test.describe(`a site ${NAMES[site.front]}`, () => {
    test.use({ baseURL: `http://localhost:${site.port}` });
    let leave = async () => {};
    test.beforeEach(async () => {
      chooseSite(site);
      leave = await share(site);
    });
    test.afterEach(async () => {
      chooseSite(null);
      await leave();
    });

    test("a video plays, jumps ahead and back, and resumes after a reload", async ({ page }) => {
      const statuses = new Set<number>();
      page.on("response", (response) => {
        // Where a video stands still, as on a slow machine, its page requests the reason by HEAD.
        const isPart = response.request().method() === "GET";
        const { pathname } = new URL(response.url());
        if (isPart && /\/media\/.*\.mp4$/.test(pathname)) statuses.add(response.status());
      });
      await signInAsNewSubscriber(page);
      await openVideo(page);
      await play(page);
      await page.keyboard.press("8");
      const ahead = await position(page);
      await expect.poll(() => position(page)).toBeGreaterThan(ahead + 0.5);
      await page.keyboard.press("5");
      const back = await position(page);
      expect(back).toBeLessThan(ahead);
      await expect.poll(() => position(page)).toBeGreaterThan(back + 0.5);
      const saved = savedProgress(page, (progress) => progress >= Math.floor(back));
      await page.keyboard.press("k");
      const progress = await saved;
      expect([...statuses]).toEqual([206]);

      await page.reload();
      // It stands there before it plays: within seconds it would also play up to it.
      await expect.poll(() => position(page)).toBeGreaterThanOrEqual(progress - 1);
      await expect(page.locator("video")).toHaveJSProperty("paused", true);
      await play(page, progress);
      expect([...statuses]).toEqual([206]);
    });
  });
}
