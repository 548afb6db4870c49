import { expect, type Page, test } from "@playwright/test";

test("a newcomer passes the gate, browses, signs in, watches and signs out", async ({
  page,
  context,
}, info) => {
  const violations = recordProblems(page);
  await page.goto("/content/video?sort=title");
  await expect(page).toHaveURL(/\/enter\?next=/);
  await page.getByRole("button", { name: /enter/i }).click();
  await expect(page).toHaveURL(/\/content\/video\?sort=title$/);
  // 24 films, of which one is scheduled and one withdrawn.
  await expect(page.getByRole("article")).toHaveCount(22);

  await page.goto("/signin?next=/content/photoSet");
  await page.getByLabel(/mail/i).fill("subscriber@example.com");
  await page.locator("main").getByRole("button").first().click();
  await expect(page).toHaveURL(/\/signin\/code/);
  await page.goto(await linkInOutbox(page));
  await page.locator("main").getByRole("button").first().click();
  await expect(page).toHaveURL(/\/content\/photoSet$/);

  await page.getByRole("article").first().getByRole("link").first().click();
  await page.locator("ol a[href*='/content/photoSet/']").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/1 of \d+/);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/2 of \d+/);

  await page.goto("/content/video?access=subscriber");
  await page.getByRole("article").first().getByRole("link").first().click();
  const video = page.locator("video");
  await expect(video).toBeVisible();
  const source = await video.locator("source").first().getAttribute("src");
  expect((await context.request.get(source ?? "")).status()).toBe(200);

  await page.goto("/user/account");
  await page
    .locator("form[action='/signout'] button")
    .first()
    .evaluate((button: HTMLElement) => button.click());
  await expect(page).toHaveURL(/\/signin/);
  expect((await context.request.get(source ?? "")).status()).toBe(403);
  expect(violations, info.project.name).toEqual([]);
});

/** The newest mail's link. The outbox is a page of the demo. */
async function linkInOutbox(page: Page): Promise<string> {
  const link = page.locator("a[href*='/signin/verify']").first();
  await expect(async () => {
    await page.goto("/outbox");
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  return (await link.getAttribute("href")) ?? "";
}

/** What the browser complains of: a blocked script or style, an error in a script, a request to another site. */
function recordProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Hydration|did not match/i.test(message.text()))
      problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.hostname !== "localhost") problems.push(request.url());
  });
  return problems;
}
