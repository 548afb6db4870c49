import { HtmlValidate } from "html-validate";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { Jar } from "../support/cookie-jar.ts";
import { createHtmlLibrary } from "../support/html/library.ts";
import { listStates, type State } from "../support/html/page-states.ts";
import { newestMail } from "../support/mails.ts";
import { listRoutes } from "../support/route-manifest.ts";
import { REAL_DATABASE_LIMIT, startSite } from "../support/site.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  // React writes void elements and attributes in its own way, and style attributes carry sizes and colors as data.
  rules: {
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    "attr-case": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    // Rows and ticks of one form have one name, as a browser sends a list.
    "form-dup-name": "off",
    "no-implicit-input-type": "off",
    "no-inline-style": "off",
    "void-style": "off",
  },
});

const RTA_LABEL = "RTA-5042-1996-1400-1577-RTA";

const library = await createHtmlLibrary();
const states = listStates(library);
/** A payment provider is configured, but does not respond. */
const site = await startSite({
  env: { STRIPE_SECRET_KEY: "sk_test_away", STRIPE_API_URL: "http://127.0.0.1:9" },
});
afterAll(() => site.stop());

/** The states of this page depend on an email that was sent before; it has its own test below. */
const UNLISTED = "routes/signin_.code";

test("tests/support/html/page-states.ts has the states of every page", async () => {
  const pages = (await listRoutes()).filter(({ hasPage }) => hasPage).map(({ id }) => id);
  const listed = new Set([...states.map(({ route }) => route), UNLISTED]);
  expect(pages.filter((id) => !listed.has(id))).toEqual([]);
  expect([...listed].filter((route) => !pages.includes(route))).toEqual([]);
  // It loads the whole site.
}, 120_000);

test.each([...new Set(states.map(({ route }) => route))])(
  "%s is valid HTML in every state, and has the label for adults",
  async (route) => {
    const problems: string[] = [];
    for (const state of states.filter((one) => one.route === route)) {
      const response = await ask(state);
      problems.push(...(await problemsOf(`${state.path} for ${state.who}`, response, state.status)));
    }
    expect(problems).toEqual([]);
  },
  // The lists have dozens of pages.
  120_000,
);

test("signing in by email is valid HTML: code, wrong code, link, link in another browser, too many tries", async () => {
  const jar = new Jar(site);
  const email = "reader@example.com";
  await jar.post("/signin", { email });
  const { token } = await newestMail(email);
  const link = `/signin/verify?token=${encodeURIComponent(token)}`;
  const pages = [
    await problemsOf("the code", await jar.visit("/signin/code"), 200),
    await problemsOf("an email that could not be sent", await unsent(jar), 200),
    await problemsOf("a wrong code", await jar.post("/signin/code", { code: "00000000" }), 422),
    await problemsOf("the link", await jar.visit(link), 200),
    await problemsOf("unknown to the provider", await new Jar(site).visit(link), 200),
  ];
  let response = await jar.post("/signin", { email });
  for (let tries = 0; tries < 50 && response.status !== 429; tries += 1)
    response = await jar.post("/signin", { email });
  pages.push(await problemsOf("too many tries", response, 429));
  expect(pages.flat()).toEqual([]);
});

const LIVE_ON_DATA = ["_index", "content.$type._index", "creators._index", "subscribe", "user.account"].map(
  (name) => `routes/${name}`,
);

test("the message of an outage is valid HTML on every page", async () => {
  const unreachable = await startSite({
    databaseUrl: "postgres://nobody@127.0.0.1:1/none",
    env: REAL_DATABASE_LIMIT,
  });
  const problems: string[] = [];
  const spoiled = new Set<string>();
  for (const { route, path, who, status, form } of states) {
    if (form || spoiled.has(route)) continue;
    const response = await unreachable.fetch(path, { headers: { cookie: library.people[who] } });
    // Some pages need no database for some visitors.
    if (response.status === status && status !== 503) continue;
    spoiled.add(route);
    problems.push(...(await problemsOf(`${path} for ${who}`, response, 503)));
  }
  await unreachable.stop();
  expect(problems).toEqual([]);
  expect([...spoiled].filter((route) => LIVE_ON_DATA.includes(route))).toEqual(LIVE_ON_DATA);
}, 120_000);

test("the page for another host name is valid HTML", async () => {
  const env = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1", TRUST_PROXY: "0" };
  const hosted = await startSite({ env });
  const problems: string[] = [];
  for (const path of ["/", "/signin", "/nowhere"])
    problems.push(...(await problemsOf(path, await hosted.fetch(path), 421)));
  await hosted.stop();
  expect(problems).toEqual([]);
});

test.each(["privacy", "terms", "about", "2257"])("/%s names the contact address, too", async (name) => {
  const html = await (await site.fetch(`/${name}`)).text();
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  expect(main).toContain('<a href="mailto:contact@example.com">contact@example.com</a>');
  expect(html).not.toContain("{{");
});

async function unsent(jar: Jar): Promise<Response> {
  await db.update(mailOutbox).set({ attempts: 1, sentAt: null });
  return jar.visit("/signin/code");
}

async function ask({ path, who, form, isUpload, origin }: State): Promise<Response> {
  await db.delete(rateLimits);
  const headers = { cookie: library.people[who], origin: origin ?? site.origin };
  if (!form) return site.fetch(path, { headers });
  const body = isUpload ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  return site.fetch(path, { method: "POST", body, headers });
}

async function problemsOf(what: string, page: Response, status: number): Promise<string[]> {
  if (page.status !== status) return [`${what}: ${page.status} and not ${status}`];
  const html = await page.text();
  const isLabelled = html.includes(`<meta name="rating" content="${RTA_LABEL}"/>`);
  const report = await validator.validateString(html);
  const wrong = report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${what}:${line} ${ruleId} ${message}`),
  );
  if (!isLabelled) wrong.push(`${what}: no label that says it is for adults`);
  // Under another host's name, the site reveals nothing about itself.
  if (status !== 421 && !html.includes('href="mailto:contact@'))
    wrong.push(`${what}: no address to write to`);
  return wrong;
}
