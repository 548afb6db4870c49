import { createHash } from "node:crypto";
import { RTA_LABEL } from "#app/web/pages/page-meta.ts";
import { errorText } from "../ui/errors/error-texts.ts";
import base from "../ui/theme/base.css?raw";
import tokens from "../ui/theme/tokens.css?raw";
import { TOO_MANY } from "../web/server/connections.server.ts";
import { BAD_METHOD } from "../web/server/refusal.server.ts";
import { NOT_HTTP, TOO_LONG, TOO_LONG_HEADERS } from "../web/server/unreadable-request.server.ts";

export interface ErrorPage {
  /** 494 is nginx's own status for headers that are too large. */
  statuses: number[];
  sentStatus?: number;
  name: string;
  content: string;
}

const STYLE = `${tokens}${base}
main { display: grid; justify-items: start; gap: var(--space-6); max-width: 40rem; margin: auto; padding: var(--space-16) var(--gutter); }
p { margin: 0; font-size: var(--text-lg); color: var(--color-muted); }
a { color: var(--color-accent); }`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

export const ERROR_PAGES_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`;

export const ERROR_PAGES: ErrorPage[] = [
  { statuses: [400], name: "400.txt", content: NOT_HTTP.sentence },
  { statuses: [405], name: "405.txt", content: BAD_METHOD.sentence },
  { statuses: [414], sentStatus: 431, name: "431.txt", content: TOO_LONG.sentence },
  // With this page, nginx.conf also sends the header that asks the browser to delete its cookies.
  { statuses: [494], sentStatus: 431, name: "headers.txt", content: TOO_LONG_HEADERS },
  { statuses: [429], name: "429.txt", content: TOO_MANY.sentence },
  { statuses: [403], name: "403.html", content: page(403) },
  { statuses: [413], name: "413.html", content: page(413) },
  { statuses: [421], name: "421.html", content: page(421) },
  { statuses: [500, 502, 503, 504], name: "503.html", content: page(503) },
];

/** Does not name the site: nobody may learn its name under an unknown host name. */
function page(status: number): string {
  const { title, sentence, next } = errorText(status);
  return `<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="rating" content="${RTA_LABEL}">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
<a href="${next.to}">${next.label}</a>
</main>
</body>
</html>
`;
}
