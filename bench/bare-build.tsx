import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable, type ServerBuild } from "@remix-run/node";
import { renderToPipeableStream } from "react-dom/server";
import type { BareItem } from "./pages.ts";

/** A site that remix-serve accepts: one page of plain React, without routes, data or scripts. */
const items = JSON.parse(process.env.BARE_ITEMS ?? "[]") as BareItem[];

function BarePage() {
  return (
    <html lang="en">
      <head>
        <title>Bare</title>
      </head>
      <body>
        <ul>
          {items.map(({ href, src, title, creators }) => (
            <li key={href}>
              <article>
                <img src={src} alt="" width="480" height="270" loading="lazy" />
                <h3>
                  <a href={href}>{title}</a>
                </h3>
                <p>{creators}</p>
              </article>
            </li>
          ))}
        </ul>
      </body>
    </html>
  );
}

function handleRequest(_request: Request, status: number, headers: Headers): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<BarePage />, {
      onShellReady() {
        const body = new PassThrough();
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
    });
  });
}

const root = { id: "root", path: "", module: { default: () => null } };
export const mode: ServerBuild["mode"] = "production";
export const isSpaMode = false;
export const publicPath = "/";
export const assetsBuildDirectory = "build/client";
export const basename = "/";
export const future = { v3_singleFetch: true };
export const entry = { module: { default: handleRequest } };
export const routes = { root };
export const assets = {
  entry: { imports: [], module: "" },
  routes: {
    root: { id: "root", path: "", hasAction: false, hasLoader: false, hasErrorBoundary: false, module: "" },
  },
  url: "",
  version: "",
};
