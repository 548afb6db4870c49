import { createRequire } from "node:module";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { isMedia, lightenRemixServe, withRoutes } from "./remix-serve.server.ts";

const PATHS: Record<string, string> = {
  "routes/media.$": "media/*",
  list: "content/:type",
  account: "user/account",
  unknown: "*",
};

const routes = Object.fromEntries(
  [
    { id: "root", path: "" },
    { id: "boundary", parentId: "root" },
    { id: "home", parentId: "boundary", index: true },
    ...Object.entries(PATHS).map(([id, path]) => ({ id, parentId: "boundary", path })),
  ].map((route) => [route.id, route]),
) as unknown as ServerBuild["routes"];
const build = { routes, assets: { routes: {} }, assetsBuildDirectory: "public" } as unknown as ServerBuild;

const own = createRequire(createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js"));

test.each([
  ["/media/1/cover-480.avif", []],
  ["/content/video", ["compression", "logger"]],
  ["/peony.svg", ["compression", "serveStatic", "logger"]],
])("%s goes through these layers of remix-serve: %j", (url, passed) => {
  const called: string[] = [];
  const layers = [own("compression")(), own("express").static("public"), own("morgan")("tiny")];
  const stack = layers.map(({ name }) => ({ name, handle: () => called.push(name) }));
  const listener = Object.assign(() => {}, { _router: { stack } });
  lightenRemixServe(listener, build);
  for (const { handle } of stack as unknown as { handle: (...given: unknown[]) => void }[])
    handle({ url }, {}, () => {});
  expect(called).toEqual(passed);
});

test.each([
  ["/", false],
  ["/media/1/cover-480.avif", true],
  ["/media/1/x?download", true],
  ["/media/", true],
  ["/MEDIA/1/x", false],
  ["/%6dedia/1/x", false],
  ["//media/1/x", false],
  ["/media", false],
  ["/media/../user/account", false],
  ["/media/%2e%2e/user/account", false],
  ["/content/video", false],
  ["/content/../media/1/x", true],
  ["/content/%2e%2e/media/1/x", true],
  ["/content\\..\\media/1/x", true],
  ["/user/account", false],
  ["/nothing/here", false],
])("%s goes only to the route of stored files: %s, and the same route answers as among all", (target, is) => {
  expect(isMedia(target)).toBe(is);
  const matched = idsOf(target, build);
  expect(matched.length).toBeGreaterThan(0);
  if (is) expect(idsOf(target, withRoutes(build, ["routes/media.$"]))).toEqual(matched);
});

function idsOf(target: string, { routes: given }: ServerBuild): unknown[] {
  const { pathname } = new URL(`http://site.invalid${target}`);
  return (matchRoutes(treeOf(given, "root"), pathname) ?? []).map(({ route, params }) => [route.id, params]);
}

function treeOf(given: ServerBuild["routes"], parentId: string): Parameters<typeof matchRoutes>[0] {
  return Object.values(given).flatMap((route) => {
    if (route === undefined || route.parentId !== parentId) return [];
    const { id, path, index } = route;
    return [index ? { id, index } : { id, path, children: treeOf(given, id) }];
  });
}
