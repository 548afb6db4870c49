import { RTA_LABEL } from "./rta-label.ts";

/** Whether a browser sent this form by itself, without a script, and will show whatever comes back. */
export function isShownAsPage(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false;
}

/** For addresses without a page of their own. The words are ours: nothing of a request may be among them. */
export function plainPage(status: number, title: string, sentence: string): Response {
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
<p><a href="/">Go to the front page</a></p>
</main>
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
