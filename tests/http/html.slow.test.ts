import { HtmlValidate } from "html-validate";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";
import { createLibrary } from "../support/routes/library.ts";
import { newCaller, PEOPLE } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";
import { startSite } from "../support/site.ts";

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

const library = await createLibrary();
const rows = listRows(library);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

test.each([...new Set(rows.map(({ route }) => route))])(
  "what %s answers is valid HTML, and has the label for adults",
  async (route) => {
    const problems: string[] = [];
    for (const row of rows.filter((one) => one.route === route)) problems.push(...(await problemsOfRow(row)));
    expect(problems).toEqual([]);
  },
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
    await problemsOf("a wrong code", await jar.post("/signin/code", { code: "00000000" }), 422),
    await problemsOf("the link", await jar.visit(link), 200),
    await problemsOf("another browser", await new Jar(site).visit(link), 200),
  ];
  let response = await jar.post("/signin", { email });
  for (let tries = 0; tries < 50 && response.status !== 429; tries += 1)
    response = await jar.post("/signin", { email });
  pages.push(await problemsOf("too many tries", response, 429));
  expect(pages.flat()).toEqual([]);
});

test.each(["privacy", "terms", "about", "2257"])("/%s names the contact address, too", async (name) => {
  const html = await (await site.fetch(`/${name}`)).text();
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  expect(main).toContain('<a href="mailto:contact@example.com">contact@example.com</a>');
  expect(html).not.toContain("{{");
});

/** Asks once for each kind of answer of the row, as the first person who gets it. */
async function problemsOfRow(row: Row): Promise<string[]> {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const person of PEOPLE) {
    const [status = ""] = row.expected[person].split(" ");
    if (status.startsWith("3") || seen.has(status)) continue;
    seen.add(status);
    const { cookie, target } = await newCaller(person, library.free.id);
    await db.delete(rateLimits);
    await row.prepare?.();
    const path = typeof row.path === "string" ? row.path : row.path(target);
    const answer = await site.fetch(path, {
      method: row.method,
      headers: { cookie, origin: site.origin, accept: "text/html" },
      ...(row.method === "POST" ? { body: row.body?.(target) ?? new URLSearchParams() } : {}),
    });
    if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
    problems.push(...(await problemsOf(`${path} for ${person}`, answer, Number(status))));
  }
  return problems;
}

async function problemsOf(what: string, page: Response, status: number): Promise<string[]> {
  if (page.status !== status) return [`${what}: ${page.status} and not ${status}`];
  const html = await page.text();
  const report = await validator.validateString(html);
  const wrong = report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${what}:${line} ${ruleId} ${message}`),
  );
  if (!html.includes(`<meta name="rating" content="${RTA_LABEL}"/>`))
    wrong.push(`${what}: no label that says it is for adults`);
  if (!html.includes('href="mailto:contact@')) wrong.push(`${what}: no address to write to`);
  return wrong;
}
