import { createRequire } from "node:module";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { groupOf, lightenRemixServe, routeGroups, withRoutesOf } from "./remix-serve.server.ts";

/** All kinds of paths that routes have, as Remix builds them from the names of files. */
const PATHS: Record<string, string> = {
  media: "media/*",
  list: "content/:type",
  set: "content/photoSet/:slug",
  video: "content/video/:slug",
  account: "user/account",
  devices: "user/account/devices",
  robots: "robots.txt",
  page: ":page/about",
  language: "en?/terms",
  unknown: "*",
};

const routes = Object.fromEntries(
  [
    { id: "root", path: "" },
    { id: "boundary", parentId: "root" },
    { id: "home", parentId: "boundary", index: true },
    { id: "settings", parentId: "boundary", path: "settings" },
    { id: "language-setting", parentId: "settings", path: "language" },
    { id: "settings-index", parentId: "settings", index: true },
    ...Object.entries(PATHS).map(([id, path]) => ({ id, parentId: "boundary", path })),
  ].map((route) => [route.id, route]),
) as unknown as ServerBuild["routes"];
const build = { routes, assets: { routes: {} } } as unknown as ServerBuild;

const own = createRequire(createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js"));

test.each([
  ["/media/1/cover-480.avif", []],
  ["/content/video", ["compression"]],
])("%s passes these of remix-serve's own layers: %j", (url, passed) => {
  const called: string[] = [];
  const stack = [own("compression")(), own("morgan")("tiny")].map(({ name }) => ({
    name,
    handle: () => called.push(name),
  }));
  const listener = Object.assign(() => {}, { _router: { stack } });
  lightenRemixServe(listener, build);
  for (const { handle } of stack as unknown as { handle: (...given: unknown[]) => void }[])
    handle({ url }, {}, () => {});
  expect(called).toEqual(passed);
});

const groups = routeGroups(build);

test("the groups are what is written in the paths", () => {
  const below = ["content/", "media/", "robots.txt/", "settings/", "user/"];
  const whole = ["", "robots.txt", "settings", "settings/language", "user/account", "user/account/devices"];
  expect([...groups].sort()).toEqual([...below, ...whole].sort());
});

test.each([
  "/",
  "/?index",
  "/media/1/cover-480.avif",
  "/MEDIA/1/x",
  "/%6dedia/1/x",
  "//media/1/x",
  "/media",
  "/content",
  "/content/video",
  "/content/Video/a-slug",
  "/content/video/a/b",
  "/content/photoSet/a-slug/",
  "/settings",
  "/settings/language",
  "/user/account",
  "/User/Account/",
  "/user%2faccount",
  "//user//account",
  "/user/account/devices",
  "/user",
  "/robots.txt",
  "/media/about",
  "/content/about",
  "/somebody/about",
  "/en/terms",
  "/terms",
  "/content/../media/1/x",
  "/content/%2e%2e/media/1/x",
  "/content\\..\\media/1/x",
  "/./user/account",
  "/nothing",
  "/nothing/here",
])("%s has the same routes among those of its group as among all", (target) => {
  const group = groupOf(target, groups);
  const few = group === null ? build : withRoutesOf(build, group);
  const matched = idsOf(target, build);
  expect(matched.length).toBeGreaterThan(0);
  expect(idsOf(target, few)).toEqual(matched);
  expect(Object.keys(few.routes).length < Object.keys(routes).length).toBe(few !== build);
});

test("an address without parameters is compared with what it may be alone", () => {
  expect(Object.keys(withRoutesOf(build, "user/account").routes)).toEqual([
    "root",
    "boundary",
    "home",
    "account",
    "page",
    "language",
    "unknown",
  ]);
});

test("a data form belongs to its page", () => {
  const targets = ["/content.data", "/content/video.data", "/user/account.data?x=1", "/_root.data?index"];
  expect(targets.map((target) => groupOf(target, groups))).toEqual([
    "content/",
    "content/",
    "user/account",
    null,
  ]);
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
