import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable, type ServerBuild } from "@remix-run/node";
import { createElement, type ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import type { BareNode, BarePage } from "./tree.ts";

/**
 * A site that remix-serve accepts, whose pages show what the real ones do. It is the least that React can do for the
 * same content: it creates every element once per request and renders it, without routes to match, data to load,
 * components, hooks, styles or scripts. Everything beyond that is the site's own cost.
 */
const pages: Record<string, BarePage> = JSON.parse(readFileSync(process.env.BARE_PAGES ?? "", "utf8"));

function elementOf(node: BareNode): ReactNode {
  return typeof node === "string"
    ? node
    : createElement(node.tag, node.props, ...node.children.map(elementOf));
}

function Page({ title, children }: BarePage) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
      </head>
      {createElement("body", null, ...children.map(elementOf))}
    </html>
  );
}

function handleRequest(request: Request, status: number, headers: Headers): Promise<Response> {
  const page = pages[decodeURIComponent(new URL(request.url).pathname.slice(1))];
  if (!page) return Promise.resolve(new Response("No such page", { status: 404 }));
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<Page {...page} />, {
      onShellReady() {
        const body = new PassThrough();
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
    });
  });
}

const common = { hasErrorBoundary: false, module: "" };
const NOTHING = { default: () => null };
export const mode: ServerBuild["mode"] = "production";
export const isSpaMode = false;
export const publicPath = "/";
export const assetsBuildDirectory = "build/client";
export const basename = "/";
export const future = { v3_singleFetch: true };
export const entry = { module: { default: handleRequest } };
export const routes = {
  root: { id: "root", path: "", module: NOTHING },
  page: { id: "page", parentId: "root", path: "*", module: NOTHING },
};
export const assets = {
  entry: { imports: [], module: "" },
  routes: {
    root: { id: "root", path: "", hasAction: false, hasLoader: false, ...common },
    page: { id: "page", parentId: "root", path: "*", hasAction: false, hasLoader: false, ...common },
  },
  url: "",
  version: "",
};
