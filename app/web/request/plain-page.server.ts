import { site } from "#app/domain/site/site.server.ts";
import { RTA_LABEL } from "../pages/page-meta.ts";

export function isShownAsPage(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false;
}

/** Takes only our own text, because it is not escaped, and as `back` a path of safeRedirect(). */
export function plainPage(status: number, title: string, sentence: string, back?: string): Response {
  // The only special characters of HTML in an email address.
  const contact = site.contactEmail.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="rating" content="${RTA_LABEL}">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
${back === undefined ? "" : `<p><a href="${back.replaceAll("&", "&amp;")}">Go back</a></p>\n`}<p><a href="/">Go to the front page</a></p>
${contact === "" ? "" : `<p>Still stuck? Write to <a href="mailto:${contact}">${contact}</a>.</p>\n`}</main>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      "Cache-Control": "private, no-store",
    },
  });
}
