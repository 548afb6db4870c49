import { spawn } from "node:child_process";
import { once } from "node:events";
import { type LookName, readCatalogue } from "#demo/seed/read-catalogue.server.ts";
import { makeLadder } from "../../demo/draw/ladder.ts";
import { makePhotos, makePortrait, makePoster } from "../../demo/draw/pictures.ts";
import { makeSiteImages } from "../../demo/draw/site-images.ts";
import { makeVideo } from "../../demo/draw/video.ts";

/** Draws the demo's pictures and videos into demo/catalogue; arguments limit it to the items with those keys. */
const PARTS = 2;
const [part, ...only] = process.argv.slice(2);

if (part?.startsWith("--part=")) {
  await makePart(Number(part.slice("--part=".length)), only);
} else {
  await Promise.all(Array.from({ length: PARTS }, (_, index) => startPart(index, process.argv.slice(2))));
}

async function startPart(index: number, keys: string[]): Promise<void> {
  const self = import.meta.filename;
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
  const isDrawn = ({ filesOf }: { filesOf?: string | undefined }) => filesOf === undefined;
  const items = [
    { key: "site", make: makeSiteImages },
    ...creators.map((creator) => ({ key: creator.key, make: () => makePortrait(creator) })),
    ...photoSets
      .filter(isDrawn)
      .map((set) => ({ key: set.key, make: () => makePhotos(set, lookOf(set.creators)) })),
    ...videos.filter(isDrawn).map((video) => ({
      key: video.key,
      make: async () => {
        await makePoster(video.key, lookOf(video.creators), video.seconds);
        await makeVideo(video, lookOf(video.creators));
        await makeLadder(video);
      },
    })),
  ];
  const wanted = items.filter(({ key }) => keys.length === 0 || keys.includes(key));
  for (const [number, item] of wanted.entries()) {
    if (number % PARTS !== index) continue;
    await item.make();
    console.log(`${number + 1}/${wanted.length} ${item.key}`);
  }
}
