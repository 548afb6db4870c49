import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const SHARED = [
  "/",
  "/content/video",
  "/content/video?sort=title",
  "/creators",
  "/subscribe",
  "/subscribe/cancelled",
  "/signin",
  "/withdraw",
  "/cancel",
];
/** Longer than visitors' data is cached. */
const ANOTHER_SECOND_MS = 1_200;

let site: Site;
let visitor: string;
beforeAll(async () => {
  const { id } = await createCreator({ name: "Ann" });
  await createVideo({ title: "Silk", creators: [id] });
  visitor = await adultCookie();
  site = await startSite();
});
afterAll(() => site.stop());

interface Page {
  status: number | undefined;
  headers: Record<string, unknown>;
  html: string;
}

/** fetch() would decompress the response without saying so. */
function load(path: string, cookie: string, encoding = "gzip, deflate, br"): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, "accept-encoding": encoding };
    get(new URL(path, site.origin), { headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const isPacked = answer.headers["content-encoding"] === "gzip";
      resolve({
        status: answer.statusCode,
        headers: answer.headers,
        html: (isPacked ? gunzipSync(body) : body).toString(),
      });
    }).on("error", reject);
  });
}

const noncesIn = (html: string) => [
  ...new Set([...html.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce)),
];
const withoutNonce = ({ html }: Page) => html.replaceAll(noncesIn(html)[0] ?? "", "");

test.each(SHARED)("%s is the same for two visitors, each with a nonce of its own", async (path) => {
  const [one, other] = [await load(path, visitor), await load(path, visitor)];
  for (const page of [one, other]) {
    expect([page.status, page.headers["content-encoding"]]).toEqual([200, "gzip"]);
    expect(page.headers.vary).toMatch(/Accept-Encoding/i);
    expect(page.headers["cache-control"]).toBe("private, no-store");
    const [nonce, ...more] = noncesIn(page.html);
    expect([nonce?.length, more]).toEqual([24, []]);
    expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
  }
  expect(noncesIn(one.html)).not.toEqual(noncesIn(other.html));
  expect(withoutNonce(one)).toBe(withoutNonce(other));
  expect(one.html).toContain("</html>");
});

test.each(["identity", "br", "gzip;q=0"])("a request for %s gets the page uncompressed", async (encoding) => {
  const page = await load("/content/video", visitor, encoding);
  expect(page.headers["content-encoding"]).not.toBe("gzip");
  expect(page.status).toBe(200);
});

test("a visitor never gets a member's page, nor the page of another color mode", async () => {
  const member = await createMember();
  const own = await load("/content/video", await signedInCookie(member.id), "gzip");
  expect(own.html).toContain(member.email);
  const seen = await load("/content/video", visitor);
  expect(seen.html).not.toContain(member.email);
  expect(seen.html).toContain("Sign in / Sign Up");
  const answer = await site.fetch("/api/color-mode", {
    method: "POST",
    headers: { cookie: visitor, origin: site.origin },
    body: new URLSearchParams({ theme: "dark", next: "/" }),
  });
  const dark = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const darkPage = await load("/content/video", [visitor, ...dark].join("; "));
  expect(darkPage.html).toContain('data-mantine-color-scheme="dark"');
  expect((await load("/content/video", visitor)).html).toContain('data-mantine-color-scheme="light"');
});

test("nobody sees a shared page before the age gate", async () => {
  await load("/content/video", visitor);
  expect((await load("/content/video", "")).status).toBe(302);
});

test("the page shows a change a second later", async () => {
  await load("/content/video", visitor);
  await db.execute(sql`UPDATE media SET title = 'Velvet' WHERE title = 'Silk'`);
  await new Promise((resolve) => setTimeout(resolve, ANOTHER_SECOND_MS));
  const { html } = await load("/content/video", visitor);
  expect(html).toContain("Velvet");
  expect(html).not.toContain("Silk");
});
