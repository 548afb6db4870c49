import { chromium } from "playwright";
const origin = "http://localhost:4977";
const pages = process.argv.slice(2).map((x) => x.split("="));
const browser = await chromium.launch({ args: ["--no-sandbox", "--disable-gpu"], ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}) });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
const post = (p, form) => page.request.post(origin + p, { form, headers: { origin }, maxRedirects: 0 });
await post("/enter", {});
await post("/signin", { email: "owner@example.com" });
let token;
for (let i = 0; i < 60 && !token; i++) {
  const text = await (await page.request.get(origin + "/outbox")).text();
  const mail = text.split("<article").find((a) => a.includes("owner@example.com"));
  token = mail && new URL((mail.match(/href="([^"]*\/signin\/verify[^"]*)"/)?.[1] ?? "").replaceAll("&amp;", "&"), origin).searchParams.get("token");
  if (!token) await new Promise((r) => setTimeout(r, 500));
}
console.log((await post("/signin/verify", { token })).status());
const first = async (q) => { await page.goto(origin + "/studio/media?" + q); return page.getByRole("main").getByRole("listitem").getByRole("heading").getByRole("link").first().getAttribute("href"); };
const named = { video: "type=video&state=published", set: "type=photoSet&state=published", draft: "state=draft&type=video", down: "state=takenDown" };
for (const [name, path] of pages) {
  let p = path;
  for (const [key, q] of Object.entries(named)) if (p.includes("{" + key + "}")) p = p.replace("{" + key + "}", (await first(q)) ?? "");
  for (const theme of ["light", "dark"]) {
    await page.request.post(origin + "/api/color-mode", { form: { theme }, headers: { origin } });
    for (const width of theme === "light" ? [1280, 390] : [1280]) {
      await page.setViewportSize({ width, height: 900 });
      const answer = await page.goto(origin + p, { waitUntil: "networkidle" });
      console.log(name, answer.status(), theme, width, await page.evaluate(() => document.documentElement.scrollWidth));
      await page.screenshot({ path: `/tmp/e-scratch/${name}-${theme}-${width}.png`, fullPage: true });
    }
  }
}
await browser.close();
