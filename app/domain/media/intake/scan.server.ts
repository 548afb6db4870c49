import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { Refusal } from "./refusal.ts";
import { parseSidecar, type Sidecar } from "./sidecar.ts";

export interface FoundVideo {
  kind: "video";
  /** Below the folder that was given: what reports show. */
  label: string;
  path: string;
  sidecar: Sidecar;
}

export interface FoundPhotoSet {
  kind: "photoSet";
  label: string;
  /** Absolute, in the order of their names, numbers by value. */
  paths: string[];
  sidecar: Sidecar;
}

export type Found = FoundVideo | FoundPhotoSet;

const VIDEO = new Set(".mp4 .m4v .mov .mkv .webm .avi .mpg .mpeg .ts .mts .wmv .flv .3gp .ogv".split(" "));
const PICTURE = new Set(".jpg .jpeg .png .webp .gif .tif .tiff .avif .heic .heif .svg .bmp".split(" "));
const COMPANION = new Set([".yaml", ".yml", ".vtt", ".srt"]);
const SYSTEM = new Set(["Thumbs.db", "desktop.ini", "__MACOSX"]);
const FOLDER_SIDECAR = "media.yaml";
const inOrder = new Intl.Collator("en", { numeric: true });

/** Everything below `folder` that could become media, and what could not. Reads names and sidecars only. */
export async function scanFolder(
  folder: string,
  label = "",
): Promise<{ found: Found[]; refused: Refusal[] }> {
  const found: Found[] = [];
  const refused: Refusal[] = [];
  const entries = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => !name.startsWith(".") && !SYSTEM.has(name),
  );
  entries.sort((a, b) => inOrder.compare(a.name, b.name));
  const files: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) files.push(entry.name);
    else if (entry.isDirectory()) {
      const inner = await scanFolder(join(folder, entry.name), join(label, entry.name));
      found.push(...inner.found);
      refused.push(...inner.refused);
    } else refused.push(new Refusal(join(label, entry.name), "links are not followed"));
  }

  const has = (kinds: Set<string>) => (name: string) => kinds.has(extname(name).toLowerCase());
  const videos = files.filter(has(VIDEO));
  const pictures = files.filter(has(PICTURE));
  const others = files.filter((name) => ![VIDEO, PICTURE, COMPANION].some((kinds) => has(kinds)(name)));
  refused.push(...others.map((name) => new Refusal(join(label, name), "neither a video nor a picture")));

  const isAlone = videos.length + (pictures.length > 0 ? 1 : 0) === 1;
  const own = (name: string) => files.find((file) => file === `${basename(name, extname(name))}.yaml`);
  const add = async (name: string, make: (sidecar: Sidecar) => Found) => {
    try {
      const file = own(name);
      const shared = files.includes(FOLDER_SIDECAR) ? await readSidecar(folder, label, FOLDER_SIDECAR) : {};
      // Of several in one folder, each keeps its own title and captions.
      const common = isAlone ? shared : { ...shared, title: undefined, captions: undefined };
      found.push(
        make(
          file && file !== FOLDER_SIDECAR
            ? { ...common, ...(await readSidecar(folder, label, file)) }
            : common,
        ),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
    }
  };
  for (const name of videos) {
    await add(name, (sidecar) => ({
      kind: "video",
      label: join(label, name),
      path: join(folder, name),
      sidecar,
    }));
  }
  if (pictures.length > 0) {
    const paths = pictures.map((name) => join(folder, name));
    await add("", (sidecar) => ({ kind: "photoSet", label: label || basename(folder), paths, sidecar }));
  }
  return { found, refused };
}

async function readSidecar(folder: string, label: string, name: string): Promise<Sidecar> {
  try {
    return parseSidecar(await readFile(join(folder, name), "utf8"));
  } catch (error) {
    throw new Refusal(join(label, name), (error as Error).message);
  }
}
