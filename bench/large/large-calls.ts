import type { Sql } from "postgres";
import { paths } from "#app/paths.ts";
import type { Browser } from "../load/browser.ts";

/** Media spread evenly over the catalogue, old and new. */
const SPREAD = 200;

interface Item {
  id: string;
  slug: string;
}

export interface Chosen {
  videos: Item[];
  /** Those that have photos. */
  sets: Item[];
  creators: string[];
  /** A word that a third of all media have. */
  word: string;
}

export interface Call {
  name: string;
  send(browser: Browser, chosen: Chosen, index: number): Promise<unknown>;
}

export async function chooseMedia(sql: Sql): Promise<Chosen> {
  const videos = await sql<Item[]>`
    SELECT id, slug FROM (SELECT id, slug, row_number() OVER (ORDER BY short_id) AS place, count(*) OVER () AS total
      FROM media WHERE type = 'video' AND status = 'published') videos
    WHERE place % greatest(1, total / ${SPREAD}) = 0 ORDER BY place LIMIT ${SPREAD}`;
  const sets = await sql<Item[]>`
    SELECT id, slug FROM media WHERE type = 'photoSet' AND status = 'published'
      AND EXISTS (SELECT FROM photos WHERE media_id = media.id) ORDER BY short_id LIMIT ${SPREAD}`;
  const creators = await sql<{ slug: string }[]>`SELECT slug FROM creators ORDER BY slug LIMIT 10`;
  const [common] = await sql<{ word: string }[]>`SELECT word FROM bench_words WHERE n = 1`;
  return { videos, sets, creators: creators.map(({ slug }) => slug), word: common?.word ?? "" };
}

export function callsOf(): Call[] {
  const page = (name: string, pathOf: (chosen: Chosen, index: number) => string): Call => ({
    name,
    send: (browser, chosen, index) => browser.get(pathOf(chosen, index)),
  });
  const post = (name: string, path: string, fields: Record<string, string>): Call => ({
    name,
    send: (browser, { videos }, index) => browser.post(path, { mediaId: at(videos, index).id, ...fields }),
  });
  return [
    page("home", () => paths.home()),
    page("list", () => paths.list("video")),
    page("list of a tag, by title", () => paths.list("video", { tag: "tag-2", sort: "title" })),
    page("search", ({ word }) => paths.list("video", { q: word })),
    page("watch", ({ videos }, index) => paths.media("video", at(videos, index).slug)),
    page("set", ({ sets }, index) => paths.media("photoSet", at(sets, index).slug)),
    page("photo", ({ sets }, index) => paths.photo(at(sets, index).slug, 3)),
    page("creators", () => paths.creators()),
    page("creator", ({ creators }, index) => paths.creator(at(creators, index))),
    page("favorites", () => paths.favorites()),
    page("history", () => paths.history()),
    page("account", () => paths.account()),
    page("poster", ({ videos }, index) => paths.mediaFile(at(videos, index).id, "cover-480.avif")),
    post("progress", paths.api.views(), { progress: "5" }),
    post("favorite", paths.api.favorites(), { isFavorited: "true" }),
  ];
}

function at<Value>(values: Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error("The catalogue is empty");
  return value;
}
