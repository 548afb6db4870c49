import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { SITE_NAME: "Lantern" } });
});
afterAll(() => site.stop());

async function page(path: string, cookie = ""): Promise<string> {
  return (await site.fetch(path, { headers: { cookie } })).text();
}

function switchTo(theme: string, init: RequestInit & { next?: string } = {}) {
  return site.fetch("/api/color-mode", {
    method: "POST",
    body: new URLSearchParams({ theme, next: init.next ?? "/about?x=1" }),
    headers: { origin: site.origin, ...init.headers },
  });
}

function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** The first cookie of a browser is looked for on the way. */
async function targetOf(response: Response): Promise<string | null> {
  const look = response.headers.get("location") ?? "";
  expect(look).toMatch(/^\/no-cookies\?/);
  const looked = await site.fetch(look, { headers: { cookie: cookieOf(response) } });
  return looked.headers.get("location");
}

/** The collapsible menus of the header, which work without a script. */
function detailsIn(html: string): { summary: string; links: string[]; html: string }[] {
  const header = /<header[\s\S]*?<\/header>/.exec(html)?.[0].replaceAll("<!-- -->", "") ?? "";
  return [...header.matchAll(/<details[^>]*><summary[^>]*>([\s\S]*?)<\/summary>([\s\S]*?)<\/details>/g)].map(
    ([, summary = "", panel = ""]) => ({
      summary: summary
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
      links: [...panel.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => href),
      html: panel,
    }),
  );
}

describe("color mode", () => {
  it("is light by default, whatever the system prefers", async () => {
    const response = await site.fetch("/about", { headers: { "sec-ch-prefers-color-scheme": "dark" } });
    const html = await response.text();
    expect(html).toContain('<html lang="en" data-mantine-color-scheme="light"');
    expect(html).not.toContain("prefers-color-scheme");
  });

  it("switches by a plain form, leads back to the page, and is rendered by the server", async () => {
    const response = await switchTo("dark");
    expect(response.status).toBe(303);
    expect(await targetOf(response)).toBe("/about?x=1");
    expect(await page("/about", cookieOf(response))).toContain('data-mantine-color-scheme="dark"');
  });

  it("switches by JSON, as the script does", async () => {
    const response = await site.fetch("/api/color-mode", {
      method: "POST",
      body: JSON.stringify({ theme: "dark" }),
      headers: { origin: site.origin },
    });
    expect(await response.json()).toEqual({ success: true });
    expect(await page("/about", cookieOf(response))).toContain('data-mantine-color-scheme="dark"');
  });

  it.each([
    ["null", 400],
    ["{", 400],
    ["[]", 400],
    ["", 400],
    [`{"theme":"${"d".repeat(70_000)}"}`, 413],
  ])("refuses %.20s as JSON", async (body, status) => {
    const headers = { origin: site.origin, "content-type": "application/json" };
    const response = await site.fetch("/api/color-mode", { method: "POST", body, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("refuses a form that is too large", async () => {
    expect((await switchTo("d".repeat(70_000))).status).toBe(413);
    const fields = Array.from({ length: 50 }, (_, index) => [`field${index}`, "d".repeat(2_000)]);
    const { status } = await site.fetch("/api/color-mode", {
      method: "POST",
      body: new URLSearchParams([["theme", "dark"], ...fields]),
      headers: { origin: site.origin },
    });
    expect(status).toBe(413);
  });

  it("never redirects to another site, and refuses forms of another site", async () => {
    const unreachable = await switchTo("dark", { next: "//evil.example/" });
    expect(await targetOf(unreachable)).toBe("/");
    const refused = await switchTo("dark", { headers: { origin: "https://evil.example" } });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("set-cookie")).toBeNull();
  });

  it("keeps the current mode when an unknown mode is sent", async () => {
    const response = await switchTo("sepia");
    expect(await page("/about", cookieOf(response))).toContain('data-mantine-color-scheme="light"');
  });
});

describe("icons", () => {
  it.each([
    ["/favicon.ico", /^image\/(x-icon|vnd\.microsoft\.icon)$/],
    ["/apple-touch-icon.png", /^image\/png$/],
    ["/peony.svg", /^image\/svg\+xml$/],
  ])("%s is served, with a lifetime of an hour", async (path, type) => {
    const response = await site.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(type);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(await page("/about")).toContain(`href="${path}"`);
  });
});

describe("every page", () => {
  it.each(["/about", "/privacy", "/terms", "/2257", "/enter", "/nowhere"])(
    "%s carries the label, the skip link, both menus as plain markup and the footer",
    async (path) => {
      const { id, email } = await createMember({ fullName: "Ada Lovelace Byron" });
      // The age proof is left out, because /enter redirects people who have one.
      const [session = ""] = (await signedInCookie(id)).split("; ");
      const own = detailsIn(await page(path, session));
      expect(own.map(({ summary }) => summary)).toEqual(["AB Your menu, Ada Lovelace Byron", "Menu"]);
      expect(own[0]?.links).toEqual(["/user/account", "/user/favorites", "/user/history"]);
      expect(own[0]?.html).toMatch(/<form[^>]*action="\/signout"[^>]*><button type="submit">Sign out</);
      expect(own[0]?.html).toContain(email);
      expect(own[1]?.links).toEqual(["/creators", "/content/video", "/content/photoSet", "/subscribe"]);
      const html = await page(path);
      expect(detailsIn(html).map(({ links }) => links)).toEqual([own[1]?.links]);
      expect(html).toContain('<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/>');
      expect(html).toContain('href="#main"');
      expect(html).toContain("All models are 18 years or older.");
      expect(html).toMatch(/<a[^>]*href="\/2257"[^>]*>Click here<\/a>/);
      expect(html).toContain("18 U.S.C. 2257 Record-Keeping Requirements");
      expect(html).toMatch(/By entering this site you swear that you are of legal age/);
      expect(html).toContain(`© <!-- -->${new Date().getFullYear()}`);
      expect(html).not.toMatch(/\son[a-z]+="/);
    },
  );

  it("has the site's name in its title", async () => {
    const html = await page("/about");
    expect(html).toContain("<title>About · Lantern</title>");
    expect(html).toContain('property="og:site_name" content="Lantern"');
    expect(html).toContain(`property="og:image" content="http://localhost:`);
    expect(html).toContain('name="robots" content="follow, index"');
    expect(html).not.toContain("Peony");
  });

  it("gives every script the nonce of its policy", async () => {
    const response = await site.fetch("/about");
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
    const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  });
});

describe("the account menu", () => {
  it("names the member and signs out by a form", async () => {
    const member = await createMember({ fullName: "Ada Lovelace Byron" });
    const html = await page("/about", await signedInCookie(member.id));
    expect(html).toContain("Ada Lovelace Byron");
    expect(html).toContain(member.email);
    expect(html).toContain(">AB</span>");
    expect(html).toMatch(/<form[^>]*action="\/signout"/);
    expect(html).not.toContain("Sign in / Sign Up");
  });

  it("calls somebody without a name User Name", async () => {
    const member = await createMember();
    const html = await page("/about", await signedInCookie(member.id));
    expect(html).toContain(">User Name</p>");
    expect(html).toContain(">UN</span>");
  });

  it("is a sign-in link when nobody is signed in", async () => {
    expect(await page("/about")).toMatch(/<a[^>]*href="\/signin"[^>]*>Sign in \/ Sign Up<\/a>/);
  });
});

it("says that a page does not exist, with an error id", async () => {
  const response = await site.fetch("/nowhere/at/all");
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain("There is no page at this address.");
  expect(html).toContain('href="/content/video"');
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
});

it("says the same about an unreadable address", async () => {
  for (const path of ["/%E0%A4%A", "/content/%ff", "/%"]) {
    const response = await site.fetch(path);
    const html = await response.text();
    expect([path, response.status]).toEqual([path, 404]);
    expect(html).toContain("There is no page at this address.");
    expect(html).toMatch(/<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/i);
  }
});

it("refuses a form in the member's color mode, with their menu and the site's name", async () => {
  const member = await createMember({ fullName: "Ada Lovelace Byron" });
  const dark = cookieOf(await switchTo("dark"));
  const response = await site.fetch("/nowhere", {
    method: "POST",
    headers: { origin: site.origin, cookie: `${await signedInCookie(member.id)}; ${dark}` },
  });
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain("There is no page at this address.");
  expect(html).toContain(">AB</span>");
  expect(html).toContain("<span>Lantern</span>");
  expect(html).toContain('data-mantine-color-scheme="dark"');
});

it("keeps no member's page or data in the browser's cache", async () => {
  const cookie = await signedInCookie((await createMember()).id);
  for (const path of ["/user/history", "/user/history.data", "/user/favorites.data", "/user/account.data"]) {
    const response = await site.fetch(path, { headers: { cookie } });
    expect([path, response.status, response.headers.get("cache-control")]).toEqual([
      path,
      200,
      "private, no-store",
    ]);
  }
  const ahead = { cookie, "sec-purpose": "prefetch" };
  const response = await site.fetch("/user/history.data", { headers: ahead });
  expect(response.headers.get("cache-control")).toBe("private, max-age=10");
});
