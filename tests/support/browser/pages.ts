import { expect, type Page } from "@playwright/test";
import { listRoutes } from "../route-manifest.ts";
import { savedProgress } from "./progress.ts";
import { untilScriptsRun } from "./scripts.ts";

/** The pages for a signed-out visitor past the gate. */
const OPEN = [
  "/",
  "/creators",
  "/creators?q=nobody-at-all",
  "/content/video",
  "/content/video?sort=title&access=subscriber",
  "/content/video?q=nothing-at-all",
  "/content/photoSet",
  "/subscribe",
  "/subscribe/cancelled",
  "/signin",
  "/signin/verify?token=wrong",
  "/outbox",
  "/cancel",
  "/withdraw",
  "/keep-account",
  "/keep-account?done=requested",
  "/privacy",
  "/terms",
  "/about",
  "/2257",
  "/nowhere",
  "/draft/unknown",
];
/** The pages for a member who signed in long ago. */
export const STALE = ["/user/confirm?for=delete", "/user/account"];
export const OWN = [
  "/",
  "/content/video",
  "/content/photoSet",
  "/creators",
  "/subscribe",
  "/user/account",
  "/user/account/subscription",
  "/withdraw",
  "/user/favorites",
  "/user/favorites?q=nothing-at-all",
  "/user/favorites?type=photo",
  "/user/history",
  "/subscribe/portal",
];

/** The pages for an owner, besides those of an item. */
export const STUDIO = [
  "/studio",
  "/studio/media",
  "/studio/media?q=nothing-at-all",
  "/studio/media?problem=noCredit",
  "/studio/upload",
  "/studio/creators",
  "/studio/creators?q=nothing-at-all",
  "/studio/tags",
  "/studio/staff",
  "/studio/plans",
  "/studio/settings",
  ...["name", "color", "logo", "about", "custodian", "contact", "alarms", "time"].map(
    (section) => `/studio/settings/${section}`,
  ),
  "/studio/audit",
  "/studio/audit?actor=nobody",
];

/** The parts of a video that have pages of their own. */
const VIDEO_PARTS = [
  "text",
  "credits",
  "dates",
  "access",
  "chapters",
  "cover",
  "captions",
  "trailer",
  "files",
];

/** The pages of the studio, with those of a video, a photo set, a change of two items, a creator, a tag and a merge. */
export async function listStudioPages(page: Page): Promise<string[]> {
  const items: string[] = [];
  for (const filter of ["type=video&state=published", "type=photoSet", "state=draft", "state=takenDown"]) {
    await page.goto(`/studio/media?${filter}`);
    const link = page.getByRole("main").getByRole("listitem").getByRole("heading").getByRole("link").first();
    items.push((await link.getAttribute("href")) ?? "");
  }
  const chosen = items.slice(0, 2).map((path) => `id=${path.split("/").at(-1)}`);
  const bulk = ["access:free", "addTag", "state:takeDown"].map(
    (change) => `/studio/media/bulk?${chosen.join("&")}&change=${change}`,
  );
  const names: string[] = [];
  for (const list of ["creators", "tags"]) {
    await page.goto(`/studio/${list}`);
    const link = page.getByRole("main").getByRole("listitem").getByRole("heading").getByRole("link").first();
    names.push((await link.getAttribute("href")) ?? "");
  }
  const [creator = "", tag = ""] = names;
  const merge = `${creator}/merge?into=`;
  return [
    ...STUDIO,
    ...items,
    ...VIDEO_PARTS.map((part) => `${items[0]}/${part}`),
    `${items[1]}/photos`,
    ...bulk,
    "/studio/media/bulk",
    ...names,
    ...["portrait", "merge", "delete"].map((part) => `${creator}/${part}`),
    `${tag}/delete`,
    `${merge}Noor Sable`,
    `${merge}nobody`,
  ];
}

/** The addresses of all pages that a visitor can reach, including locked and open media. */
export async function listOpenPages(page: Page): Promise<string[]> {
  const works: string[] = [];
  for (const access of ["subscriber", "free"]) {
    works.push(await firstLink(page, `/content/video?access=${access}`));
    const set = await firstLink(page, `/content/photoSet?access=${access}`);
    works.push(set, `${set}/2`);
  }
  const creator = await firstLink(page, "/creators");
  return [...OPEN, creator, `${creator}?tab=photos`, ...works];
}

/** The pages that look different to a subscriber, and the media that they may view. */
export async function listOwnPages(page: Page): Promise<string[]> {
  const video = await firstLink(page, "/content/video?access=subscriber");
  const set = await firstLink(page, "/content/photoSet?access=subscriber");
  return [...OWN, await firstLink(page, "/creators"), video, set, `${set}/2`];
}

/** The routes with a page that matches none of these paths. */
export async function listPagesWithout(paths: string[]): Promise<string[]> {
  const pages = (await listRoutes()).filter(({ hasPage }) => hasPage).map(({ id }) => id);
  const isAmong = (id: string) => paths.some((path) => addressOf(id).test(path.replace(/\?.*/, "")));
  return pages.filter((id) => !isAmong(id));
}

/** Fills a subscriber's favorites, a photo among them, history and Continue. Returns the set that is in all of them. */
export async function leaveTraces(page: Page): Promise<string> {
  const set = await firstLink(page, "/content/photoSet");
  await page.goto(set);
  const button = page.getByRole("button", { name: /^Favorite/ }).first();
  const marked = page.waitForResponse((response) => response.url().includes("/api/favorites"));
  await button.click();
  // The button changes before the server responds.
  await marked;
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.goto(`${set}/1`);
  await untilScriptsRun(page);
  const photoMarked = page.waitForResponse((response) => response.url().includes("/api/favorites"));
  await page.getByRole("button", { name: /^Favorite/ }).click();
  await photoMarked;
  const saved = savedProgress(page, (progress) => progress === 2);
  await page.getByRole("link", { name: "Next" }).click();
  await saved;
  return set;
}

async function firstLink(page: Page, list: string): Promise<string> {
  await page.goto(list);
  const link = page.getByRole("article").first().getByRole("heading").getByRole("link");
  return (await link.getAttribute("href")) ?? "";
}

/**
 * Converts a route's file name, such as "routes/content.video.$slug" or "routes/signin_.code", to a pattern of its
 * address.
 */
function addressOf(id: string): RegExp {
  const parts = id.replace("routes/", "").split(".");
  const words = parts.filter((part) => part !== "_index").map((part) => part.replace(/_$/, ""));
  return new RegExp(`^/${words.map((word) => (word.startsWith("$") ? "[^/]+" : word)).join("/")}$`);
}
