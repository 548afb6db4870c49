/** Text that is already markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | null | undefined | false | Part[];

/** Escapes all inserted values, except markup made by this function. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + shown(parts[index - 1]) + string));
}

export function page(provider: string, title: string, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<p class="note">Stand-in for ${provider}: no money moves</p>
<main>${body}</main>
</body>
</html>
`;
}

export function day(seconds: number): string {
  const format = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en-US", format).format(seconds * 1000);
}

function shown(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(shown).join("");
  if (part === null || part === undefined || part === false) return "";
  return String(part)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --line: #c9ced6; --soft: #f4f5f7; --text: #1c2330; --go: #3a45c4; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --line: #454c59; --soft: #1e232c; --text: #e8ebf0; --go: #a9b1ff; --bad: #ff9d94; }
  body { background: #14181f; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
.note { margin: 0; padding: 8px 16px; background: var(--soft); border-bottom: 1px solid var(--line); text-align: center; }
main { max-width: 640px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 8px 0 16px; }
h2 { font-size: 1.125rem; margin: 32px 0 8px; }
fieldset, section.card { border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; margin: 16px 0; }
label { display: block; padding: 6px 0 6px 28px; text-indent: -28px; }
label:not(:has([type=radio])) { padding-left: 0; text-indent: 0; }
input[type=radio] { width: 16px; height: 16px; margin: 0 8px 0 0; vertical-align: -2px; }
input[type=text], input[type=email], select { font: inherit; padding: 8px 10px; border: 1px solid var(--line); border-radius: 6px;
  background: transparent; color: inherit; max-width: 100%; }
button { font: inherit; padding: 9px 14px; min-height: 44px; border: 1px solid var(--line); border-radius: 6px; background: var(--soft);
  color: inherit; cursor: pointer; margin: 4px 4px 4px 0; }
button.main { background: var(--go); border-color: var(--go); color: #fff; font-weight: 600; }
@media (prefers-color-scheme: dark) { button.main { color: #14181f; } }
a { color: var(--go); }
.bad { color: var(--bad); font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 6px 8px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }
td:last-child { white-space: nowrap; }
section.card p { margin: 0 0 4px; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
`;
