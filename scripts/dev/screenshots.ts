import { chromium } from "playwright";

/**
 * Takes screenshots of a running demo for the README. Usage: tsx scripts/dev/screenshots.ts http://localhost:3000
 * docs/screenshots
 */
const [origin = "http://localhost:3000", folder = "docs/screenshots"] = process.argv.slice(2);
const PAGES = { home: "/", videos: "/content/video", photos: "/content/photoSet", account: "/user/account" };
const executablePath = process.env.CHROMIUM_PATH;

const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...(executablePath ? { executablePath } : {}),
});
for (const theme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    await page.goto(origin);
    await page.getByRole("button", { name: /enter/i }).click();
    await page.request.post(`${origin}/api/color-mode`, { form: { theme }, headers: { origin } });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(origin + path, { waitUntil: "networkidle" });
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
    }
    await page.close();
  }
}
await browser.close();
