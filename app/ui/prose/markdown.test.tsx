import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { parseDescription, parseMarkdown } from "./markdown.ts";
import { ProseView } from "./prose-page.tsx";

function html(source: string): string {
  const markup = renderToStaticMarkup(<ProseView prose={parseMarkdown(source)} />);
  return markup.replace(/^<div[^>]*>|<\/div>$/g, "");
}

describe("Markdown of the host's pages", () => {
  it("becomes headings, paragraphs, lists and links", () => {
    expect(html("# Hello\n\nA *quiet* **day**, see [here](/about).\n\n- one\n- two\n\n1. first")).toBe(
      '<h1>Hello</h1><p>A <em>quiet</em> <strong>day</strong>, see <a href="/about">here</a>.</p>' +
        "<ul><li>one</li><li>two</li></ul><ol><li>first</li></ol>",
    );
  });

  it("shows characters that are special in HTML as themselves", () => {
    expect(html("Fish & chips < 5, AT&T's `a < b`")).toBe(
      "<p>Fish &amp; chips &lt; 5, AT&amp;T&#x27;s <code>a &lt; b</code></p>",
    );
  });

  it("keeps the headings of a description below those of its page", () => {
    const markup = renderToStaticMarkup(<ProseView prose={parseDescription("# Part one\n\nAt *dusk*.")} />);
    expect(markup).toContain("<h3>Part one</h3><p>At <em>dusk</em>.</p>");
  });

  it("lets no HTML through", () => {
    const page = html('<script>alert(1)</script>\n\nHi <img src=x onerror="alert(1)"> <b>you</b>');
    expect(page).not.toMatch(/<(script|img|b)\b|onerror/);
    expect(page).toContain("Hi");
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", "JaVaScRiPt:x", "vbscript:x"])(
    "makes no link of %s",
    (address) => expect(html(`[click](${address})`)).toBe("<p>click</p>"),
  );

  const many = (open: string, close = "") => open.repeat(2_500) + close.repeat(2_500);
  it.each([
    ["quotes", `${many(">")} x`],
    ["spaced quotes", `${many("> ")}x`],
    ["numbered lists", `${many("1. ")}x`],
    ["quotes in lists", `${many("> - ")}x`],
    ["emphasis", many("*a _b ", "_ *")],
    ["crossed-out emphasis", many("~~a *b ", "* ~~")],
    ["links", many("[a ", "](/b)")],
    ["emphasis without an end", "_a*".repeat(6_666)],
  ])("renders thousands of nested %s, of which the inner ones stay text", (_, source) => {
    const page = html(source);
    let [depth, deepest] = [0, 0];
    for (const [, end] of page.matchAll(/<(\/?)[a-z]/g)) {
      depth += end === "" ? 1 : -1;
      deepest = Math.max(deepest, depth);
    }
    expect(deepest).toBeLessThan(40);
    expect(page).toMatch(/[xab]/);
  });

  it("keeps what people nest", () => {
    const quotes = "> ".repeat(5);
    expect(html(`${quotes}*a **b** [c](/d)*`)).toBe(
      `${"<blockquote>".repeat(5)}<p><em>a <strong>b</strong> <a href="/d">c</a></em></p>${"</blockquote>".repeat(5)}`,
    );
  });

  it("writes only its own elements and attributes, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (source) => {
        for (const [, tag, attributes] of html(source).matchAll(/<([a-z0-9]+)([^>]*)>/gi)) {
          expect(tag).toMatch(/^(h[1-4]|p|ul|ol|li|strong|em|del|code|pre|blockquote|hr|br|a)$/);
          expect(attributes).toMatch(/^(\/?| href="(https?:|mailto:|\/|#)[^"]*")$/i);
        }
      }),
    );
  });
});
