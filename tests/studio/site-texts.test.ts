import { like } from "drizzle-orm";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { loadSite } from "#app/domain/site/site.server.ts";
import { parseMarkdown } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import { readSitePage } from "#app/web/pages/site-page.server.ts";
import { db } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site.ts";

afterEach(async () => {
  await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
  await loadSite();
});

/** The text of a page, as a reader sees it. */
async function shown(page: Parameters<typeof readSitePage>[0], settings: Record<string, string>) {
  const rows = Object.entries(settings).map(([name, value]) => ({ name: `site.${name}`, value }));
  await db.insert(siteSettings).values(rows);
  await loadSite();
  const html = renderToStaticMarkup(ProseView({ prose: parseMarkdown(await readSitePage(page)) }));
  const characters = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };
  const text = Object.entries(characters).reduce(
    (plain, [entity, character]) => plain.replaceAll(entity, character),
    html.replace(/<[^>]*>/g, ""),
  );
  return { html, text };
}

test.each([
  "Night_Owl *18+*",
  "_Peony_ **and** `friends`",
  "[Peony](https://evil.example)",
  "<b>R&amp;B</b> & ~~soul~~",
  "1. Peony",
  "# Peony | www.peony.example",
  "\\*Peony\\* ===",
  "{{contactEmail}} {{custodian}}",
])("a site called %j is called so in its Terms and its Privacy", async (name) => {
  for (const page of ["terms", "privacy"] as const) {
    const { html, text } = await shown(page, {
      siteName: name,
      [page]: "{{siteName}}\n\nThe end of {{siteName}}.",
    });
    expect(text).toBe(`${name}The end of ${name}.`);
    expect(html.match(/<(?!\/?(?:div|p)\b)[^>]*>/g)).toBeNull();
    await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
    expect((await shown(page, { siteName: name })).text).toContain(name);
    await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
  }
});

test.each(["a_b_c@night.example", "_ann_@night.example", "a*b*c@night.example", "r&amp;b@night.example"])(
  "the contact address %s stands in a text as it is, and an ordinary one still becomes a link",
  async (contactEmail) => {
    const { text, html } = await shown("about", {
      contactEmail,
      about: "[{{contactEmail}}](mailto:{{contactEmail}})",
    });
    expect(text).toBe(contactEmail);
    expect(html).toMatch(/^<div[^>]*><p><a href="mailto:[^"]*">[^<]*<\/a><\/p><\/div>$/);
    await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
    const alone = await shown("about", {
      contactEmail: "ann.b-c+d@night.example",
      about: "{{contactEmail}}",
    });
    expect(alone.html).toContain('<a href="mailto:ann.b-c+d@night.example">ann.b-c+d@night.example</a>');
  },
);

test("a custodian's name that reads like a placeholder stays as it is", async () => {
  const custodian = {
    custodianName: "{{siteName}}",
    custodianAddress: "1 *Main* St",
    custodianSince: "2026-01-01",
  };
  const { text } = await shown("records", { ...custodian, siteName: "Owl" });
  expect(text).toContain("{{siteName}}");
  expect(text).toContain("1 *Main* St");
});
