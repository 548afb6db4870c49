import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { FOLDER_SIDECAR, findUnused } from "./companions.ts";
import { whyPassedOver } from "./passed-over.ts";
import { diskReason, Refusal, refusalOf } from "./refusal.ts";
import { parseSidecar, type Sidecar } from "./sidecar.ts";

export interface FoundVideo {
  kind: "video";
  label: string;
  path: string;
  sidecar: Sidecar;
}

export interface FoundPhotoSet {
  kind: "photoSet";
  label: string;
  /** Absolute, sorted by name with numbers by value. */
  paths: string[];
  sidecar: Sidecar;
}

export type Found = FoundVideo | FoundPhotoSet;

export interface PassedOver {
  label: string;
  reason: string;
}

export interface Scanned {
  found: Found[];
  refused: Refusal[];
  passedOver: PassedOver[];
}

/** Files that the import looks at. Whether one can be read, HEIC for example, picture.server.ts and ffprobe decide. */
const VIDEO = new Set(".mp4 .m4v .mov .mkv .webm .avi .mpg .mpeg .ts .mts .wmv .flv .3gp .ogv".split(" "));
const PICTURE = new Set(".jpg .jpeg .png .webp .gif .tif .tiff .avif .heic .heif .svg .bmp".split(" "));
const COMPANION = new Set([".yaml", ".yml", ".vtt", ".srt"]);
const inOrder = new Intl.Collator("en", { numeric: true });

const has = (kinds: Set<string>) => (name: string) => kinds.has(extname(name).toLowerCase());

/** Everything below `folder` that could become media, and what could not. Reads only names and sidecars. */
export async function scanFolder(folder: string, label = ""): Promise<Scanned> {
  const found: Found[] = [];
  const refused: Refusal[] = [];
  const passedOver: PassedOver[] = [];
  const files: string[] = [];
  const entries = await readEntries(folder, label, refused);
  const siblings = entries.map(({ name }) => name);
  for (const entry of entries) {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    const reason = whyPassedOver({ name, isFolder, parent: basename(folder), siblings });
    if (reason !== null) passedOver.push({ label: join(label, name), reason });
    else if (entry.isFile()) files.push(name);
    else if (isFolder) {
      const inner = await scanFolder(join(folder, name), join(label, name));
      found.push(...inner.found);
      refused.push(...inner.refused);
      passedOver.push(...inner.passedOver);
    } else refused.push(new Refusal(join(label, name), "links are not followed"));
  }

  const videos = files.filter(has(VIDEO));
  const pictures = files.filter(has(PICTURE));
  const companions = files.filter(has(COMPANION));
  const others = files.filter((name) => ![VIDEO, PICTURE, COMPANION].some((kinds) => has(kinds)(name)));
  refused.push(...others.map((name) => new Refusal(join(label, name), "neither a video nor a picture")));

  const sidecars = await readSidecars(folder, label, companions);
  const unused = findUnused({
    companions,
    videos,
    hasPictures: pictures.length > 0,
    captions: captionsOf(sidecars),
  });
  refused.push(...unused.map(({ name, reason }) => new Refusal(join(label, name), reason)));

  const isAlone = videos.length + (pictures.length > 0 ? 1 : 0) === 1;
  const add = (name: string, make: (sidecar: Sidecar) => Found) => {
    const own = name === "" ? undefined : sidecars.get(`${basename(name, extname(name))}.yaml`);
    const shared = sidecars.get(FOLDER_SIDECAR) ?? {};
    const wrong = [shared, own].find((sidecar) => sidecar instanceof Refusal);
    if (wrong) refused.push(wrong);
    if (shared instanceof Refusal || own instanceof Refusal) return;
    // Several items in one folder share neither title nor captions.
    const common = isAlone ? shared : { ...shared, title: undefined, captions: undefined };
    found.push(make({ ...common, ...own }));
  };
  for (const name of videos) {
    const path = join(folder, name);
    add(name, (sidecar) => ({ kind: "video", label: join(label, name), path, sidecar }));
  }
  if (pictures.length > 0) {
    const paths = pictures.map((name) => join(folder, name));
    add("", (sidecar) => ({ kind: "photoSet", label: label || basename(folder), paths, sidecar }));
  }
  return { found, refused: [...new Set(refused)], passedOver };
}

async function readEntries(folder: string, label: string, refused: Refusal[]) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => inOrder.compare(a.name, b.name));
  } catch (error) {
    const name = label || basename(folder);
    const reason = diskReason(error);
    refused.push(reason === null ? refusalOf(error, name) : new Refusal(name, reason));
    return [];
  }
}

async function readSidecars(folder: string, label: string, companions: string[]) {
  const sidecars = new Map<string, Sidecar | Refusal>();
  for (const name of companions.filter((companion) => companion.endsWith(".yaml"))) {
    sidecars.set(name, await readSidecar(folder, label, name));
  }
  return sidecars;
}

function captionsOf(sidecars: Map<string, Sidecar | Refusal>): Set<string> | null {
  const named = new Set<string>();
  for (const sidecar of sidecars.values()) {
    if (sidecar instanceof Refusal) return null;
    for (const { file } of sidecar.captions ?? []) named.add(file);
  }
  return named;
}

async function readSidecar(folder: string, label: string, name: string): Promise<Sidecar | Refusal> {
  try {
    return parseSidecar(await readFile(join(folder, name), "utf8"));
  } catch (error) {
    return new Refusal(join(label, name), diskReason(error) ?? (error as Error).message);
  }
}
