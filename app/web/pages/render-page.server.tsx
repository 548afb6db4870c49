import type { EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { RenderContext } from "./render-context.tsx";

export interface PageToRender {
  url: string;
  context: EntryContext;
  nonce: string;
  errorId?: string | undefined;
}

const ESCAPED: Record<string, string> = {
  "&": "\\u0026",
  "<": "\\u003c",
  ">": "\\u003e",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** In one piece, because no part of a page waits for another. */
export async function renderPage({ url, context, nonce, errorId }: PageToRender): Promise<string> {
  const { serverHandoffStream, ...rest } = context;
  const html = renderToString(
    <RenderContext.Provider value={{ nonce, errorId }}>
      {/* The browser renders a second child beside it, and both must derive the same ids: see hydrate-document.tsx. */}
      <RemixServer context={rest} url={url} nonce={nonce} />
      {null}
    </RenderContext.Provider>,
  );
  const hasScripts = context.renderMeta?.didRenderScripts === true && serverHandoffStream !== undefined;
  return `<!DOCTYPE html>${html}${hasScripts ? handoff(await new Response(serverHandoffStream).text(), nonce) : ""}`;
}

/** RemixServer would write the loaders' data into a stream piece by piece. */
function handoff(encoded: string, nonce: string): string {
  const literal = JSON.stringify(encoded).replace(
    /[&<>\u2028\u2029]/g,
    (character) => ESCAPED[character] ?? "",
  );
  const controller = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${controller}.enqueue(${literal});${controller}.close();</script>`;
}
