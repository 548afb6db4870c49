import { afterAll, beforeAll, expect, test } from "vitest";
import { adultCookie, createMember, signedInCookie } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

let site: Site;
let visitor: string;
let member: string;

beforeAll(async () => {
  visitor = await adultCookie();
  member = await signedInCookie((await createMember()).id);
  site = await startSite();
});
afterAll(() => site.stop());

async function page(path: string, cookie: string): Promise<string> {
  return (await site.fetch(path, { headers: { cookie } })).text();
}

test.each(["/", "/content/video", "/content/photoSet", "/content/video?sort=title", "/creators"])(
  "%s says that nothing is published yet",
  async (path) => {
    for (const cookie of [visitor, member]) {
      const html = await page(path, cookie);
      expect(html).toContain("<h2>Nothing published yet.</h2>");
      expect(html).not.toMatch(/Nothing matches|Nobody by that name/);
    }
  },
);

test("home shows no empty section", async () => {
  const html = await page("/", visitor);
  expect(html).not.toMatch(/Newest videos|Newest photo sets|<h2>Creators/);
});

test("home offers no plans where nothing is sold", async () => {
  expect(await page("/", visitor)).not.toMatch(/See the plans|with one subscription/);
  const selling = await startSite({ env: { STRIPE_SECRET_KEY: "sk_test_ofthetest" } });
  const html = await selling
    .fetch("/", { headers: { cookie: visitor } })
    .then((answer) => answer.text())
    .finally(() => selling.stop());
  expect(html).toMatch(/See the plans[\s\S]*with one subscription/);
});

test.each([
  ["/content/video?access=free", "Nothing matches these filters"],
  ["/content/photoSet?q=silk", "Nothing matches these filters"],
  ["/creators?q=ann", "Nobody by that name"],
])("%s is narrowed, and says so", async (path, words) => {
  expect(await page(path, visitor)).toContain(words);
});
