import { chromium } from "playwright";

/** Usage: tsx scripts/dev/screenshots.ts http://localhost:3000 docs/screenshots */
const [origin = "http://localhost:3000", folder = "docs/screenshots"] = process.argv.slice(2);
const OWNER = "owner@example.com";
const PAGES = { home: "/", videos: "/content/video", photos: "/content/photoSet", account: "/user/account" };
const STUDIO = {
  "studio-items": "/studio/media",
  "studio-upload": "/studio/upload",
  "studio-creators": "/studio/creators",
  "studio-tags": "/studio/tags",
  "studio-settings": "/studio/settings",
};
const executablePath = process.env.CHROMIUM_PATH;

const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...(executablePath ? { executablePath } : {}),
});
const page = await browser.newPage();
await page.goto(origin);
await page.getByRole("button", { name: /enter/i }).click();
await takeAll(PAGES);
await signIn();
await page.goto(`${origin}/studio/creators`);
const creator = (await page.locator("main h2 a").first().getAttribute("href")) ?? "/studio/creators";
await takeAll({ ...STUDIO, "studio-creator": creator });
await browser.close();

async function takeAll(pages: Record<string, string>) {
  for (const theme of ["light", "dark"]) {
    await page.request.post(`${origin}/api/color-mode`, { form: { theme }, headers: { origin } });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(origin + path, { waitUntil: "load" });
        await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
      }
    }
  }
}

async function signIn() {
  await page.request.post(`${origin}/signin`, { form: { email: OWNER }, headers: { origin } });
  await page.goto(`${origin}/outbox`);
  const link = page.locator("article", { hasText: OWNER }).first().locator('a[href*="/signin/verify"]');
  const token = new URL((await link.first().getAttribute("href")) ?? "", origin).searchParams.get("token");
  await page.request.post(`${origin}/signin/verify`, { form: { token: token ?? "" }, headers: { origin } });
}
