import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { startSite } from "#tests/support/site.ts";
import { requestSignIn } from "../support/auth/sign-in.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const SAYS = "does not keep cookies";
const MAX_REDIRECTS = 6;

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

interface Arrival {
  path: string;
  page: string;
}

/** Sends a form and follows the redirects. */
async function send(jar: Jar | null, path: string, fields: Record<string, string>): Promise<Arrival> {
  const own = jar ?? new Jar(site);
  let here = path;
  let answer = await own.post(path, fields);
  for (let redirects = 0; answer.headers.has("location") && redirects < MAX_REDIRECTS; redirects += 1) {
    here = answer.headers.get("location") ?? "";
    answer = await (jar ?? new Jar(site)).visit(here);
  }
  return { path: here, page: (await answer.text()).replaceAll("<!-- -->", "") };
}

const linkOf = async (email: string) => {
  await requestSignIn(site, email);
  return { token: (await newestMail(email)).token, confirm: "yes" };
};

/** Every form that depends on a cookie it has just set; `back` is where trying again leads. */
const FORMS: Record<
  string,
  { path: string; fields(): Promise<Record<string, string>>; back: string; arrives: string }
> = {
  "the age gate": {
    path: "/enter",
    fields: async () => ({ next: "/content/video?sort=new" }),
    back: "/enter?next=%2Fcontent%2Fvideo%3Fsort%3Dnew",
    arrives: "/content/video?sort=new",
  },
  "the sign-in form": {
    path: "/signin",
    fields: async () => ({ email: "no-cookies@example.com", next: "/about" }),
    back: "/signin",
    arrives: "/signin/code?next=%2Fabout",
  },
  "the link's page": {
    path: "/signin/verify",
    fields: () => linkOf("no-cookies-link@example.com"),
    back: "/signin?next=%2F",
    arrives: "/enter?next=%2F",
  },
  "the color mode": {
    path: "/api/color-mode",
    fields: async () => ({ theme: "dark", next: "/about" }),
    back: "/about",
    arrives: "/about",
  },
};

describe.each(Object.keys(FORMS))("%s", (name) => {
  const { path, fields, back, arrives } = FORMS[name] ?? expect.unreachable();

  test("tells a browser without cookies, and leads back", async () => {
    const { page } = await send(null, path, await fields());
    expect(page).toContain(SAYS);
    expect(page).toContain("allow cookies");
    expect(page).toContain(`href="${back.replaceAll("&", "&amp;")}"`);
  });

  test("leaves nothing in the address of a browser with cookies, even the second time", async () => {
    const jar = new Jar(site);
    for (let times = 0; times < 2; times += 1) {
      await db.delete(rateLimits);
      const arrival = await send(jar, path, await fields());
      expect(arrival.path).toBe(arrives);
      expect(arrival.page).not.toContain(SAYS);
    }
  });
});

test("the code page does not mention an email without a cookie and without the form", async () => {
  for (const path of ["/signin/code", "/signin/code?for=export", "/signin/code.data"]) {
    const answer = await new Jar(site).visit(path);
    const leads = answer.headers.get("location") ?? (await answer.text());
    expect([path, leads]).toEqual([path, expect.stringContaining("/signin")]);
    expect(leads).not.toMatch(/cookies|mail/);
  }
});

test("a browser that has shown its cookie before goes straight to the page", async () => {
  const jar = new Jar(site);
  await jar.post("/api/color-mode", { theme: "dark", next: "/enter" });
  const entered = await jar.post("/enter", { next: "/content/video" });
  expect(entered.headers.get("location")).toBe("/content/video");
});

test("a cookie of that name that is not ours proves nothing", async () => {
  const jar = new Jar(site);
  jar.set("browser", "of-another-program");
  jar.set("theme", "dark");
  const entered = await jar.post("/enter", { next: "/content/video" });
  expect(entered.headers.get("location")).toMatch(/^\/no-cookies\?/);
});

test("the page that checks for the cookie leads only inside this site and is never stored", async () => {
  const kept = new Jar(site);
  await kept.post("/enter", { next: "/" });
  for (const target of [
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
  ]) {
    for (const reason of ["gate", "mail", "link", "colors", "none"]) {
      const path = `/no-cookies?${new URLSearchParams({ for: reason, next: target })}`;
      const onward = await kept.visit(path);
      expect([path, onward.headers.get("location")]).toEqual([path, "/"]);
      const stays = await new Jar(site).visit(path);
      expect(await stays.text()).not.toMatch(/href="[^"]*evil/);
      expect(stays.headers.get("cache-control")).toBe("private, no-store");
    }
  }
});

test("after an emailed link was used without cookies, the code still works in the browser that requested it", async () => {
  const email = "lost-session@example.com";
  const jar = await requestSignIn(site, email);
  const { token, code } = await newestMail(email);
  const { page } = await send(null, "/signin/verify", { token, confirm: "yes" });
  expect(page).toContain("The code in the same email still works");
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
});
