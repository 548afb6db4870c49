import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type LookName, readCatalogue } from "#db/seed/catalogue.server.ts";
import { makeFilm } from "./demo/film.ts";
import { makePhotos, makePortrait, makePoster } from "./demo/pictures.ts";
import { makeSiteImages } from "./demo/site-images.ts";

/** Draws the demo catalogue's pictures and films into db/seed/demo; keys as arguments limit it to those works. */
const PARTS = 2;
const [part, ...only] = process.argv.slice(2);

if (part?.startsWith("--part=")) {
  await makePart(Number(part.slice("--part=".length)), only);
} else {
  await Promise.all(Array.from({ length: PARTS }, (_, index) => startPart(index, process.argv.slice(2))));
}

async function startPart(index: number, keys: string[]): Promise<void> {
  const self = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ["--import", "tsx", self, `--part=${index}`, ...keys], {
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Part ${index + 1} of the demo could not be made`);
}

async function makePart(index: number, keys: string[]): Promise<void> {
  const { creators, videos, photoSets } = await readCatalogue();
  const lookOf = ([first]: string[]): LookName => {
    const creator = creators.find(({ key }) => key === first);
    if (!creator) throw new Error(`There is no creator ${first}`);
    return creator.look;
  };
  const works = [
    { key: "site", make: makeSiteImages },
    ...creators.map((creator) => ({ key: creator.key, make: () => makePortrait(creator) })),
    ...photoSets.map((set) => ({ key: set.key, make: () => makePhotos(set, lookOf(set.creators)) })),
    ...videos.map((video) => ({
      key: video.key,
      make: async () => {
        await makePoster(video.key, lookOf(video.creators), video.seconds);
        await makeFilm(video, lookOf(video.creators));
      },
    })),
  ];
  const wanted = works.filter(({ key }) => keys.length === 0 || keys.includes(key));
  for (const [place, work] of wanted.entries()) {
    if (place % PARTS !== index) continue;
    await work.make();
    console.log(`${place + 1}/${wanted.length} ${work.key}`);
  }
}
