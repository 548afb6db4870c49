import { expect, type Page } from "@playwright/test";
import { listRoutes } from "../support/route-manifest.ts";
import { savedPlace } from "./places.ts";
import { untilScriptsRun } from "./scripts.ts";

/** As they are for whoever is signed out and past the gate. */
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
  "/privacy",
  "/terms",
  "/about",
  "/2257",
  "/nowhere",
];
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
  "/user/history",
  "/subscribe/portal",
];

/** Every page that a visitor can reach, by its address; the works among them are locked and open ones. */
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

/** What looks different to a subscriber, and the works that they may see. */
export async function listOwnPages(page: Page): Promise<string[]> {
  const film = await firstLink(page, "/content/video?access=subscriber");
  const set = await firstLink(page, "/content/photoSet?access=subscriber");
  return [...OWN, await firstLink(page, "/creators"), film, set, `${set}/2`];
}

/** The routes with a page that none of these paths leads to. */
export async function listPagesWithout(paths: string[]): Promise<string[]> {
  const pages = (await listRoutes()).filter(({ hasPage }) => hasPage).map(({ id }) => id);
  const isAmong = (id: string) => paths.some((path) => addressOf(id).test(path.replace(/\?.*/, "")));
  return pages.filter((id) => !isAmong(id));
}

/** A subscriber's favorites, history and Continue, with something in them. Returns the set that is in all of them. */
export async function leaveTraces(page: Page): Promise<string> {
  const set = await firstLink(page, "/content/photoSet");
  await page.goto(set);
  const button = page.getByRole("button", { name: /^Favorite/ }).first();
  const marked = page.waitForResponse((response) => response.url().includes("/api/favorites"));
  await button.click();
  // The button says so before the site does.
  await marked;
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.goto(`${set}/1`);
  await untilScriptsRun(page);
  const saved = savedPlace(page, (progress) => progress === 2);
  await page.getByRole("link", { name: "Next" }).click();
  await saved;
  return set;
}

async function firstLink(page: Page, list: string): Promise<string> {
  await page.goto(list);
  const link = page.getByRole("article").first().getByRole("heading").getByRole("link");
  return (await link.getAttribute("href")) ?? "";
}

/** A route's file name says its address: "routes/content.video.$slug", "routes/signin_.code". */
function addressOf(id: string): RegExp {
  const parts = id.replace("routes/", "").split(".");
  const words = parts.filter((part) => part !== "_index").map((part) => part.replace(/_$/, ""));
  return new RegExp(`^/${words.map((word) => (word.startsWith("$") ? "[^/]+" : word)).join("/")}$`);
}
