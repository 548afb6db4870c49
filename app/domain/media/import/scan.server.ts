import { basename, join } from "node:path";
import { isSameName, isUnfinishedName, type Kind, kindOfFile, stemOf } from "./file-kinds.server.ts";
import { type FolderEntry, readEntries } from "./folder-entries.server.ts";
import { FOLDER_SIDECAR, listUnused, namedCaptions, readSidecars } from "./folder-sidecars.server.ts";
import { isPhotoClip, photoBeside } from "./photo-companions.server.ts";
import { HELD_BACK, ImportRefusal, LINK, NO_FILE, NO_MEDIA, RAW, readSource, refusalOf } from "./refusal.ts";
import type { Sidecar } from "./sidecar.ts";
import { whyPassedOver } from "./skipped-files.ts";

export interface FoundVideo {
  kind: "video";
  label: string;
  path: string;
  sidecar: Sidecar;
}

export interface FoundPhotoSet {
  kind: "photoSet";
  label: string;
  paths: string[];
  sidecar: Sidecar;
}

export type Found = FoundVideo | FoundPhotoSet;

interface Scanned {
  found: Found[];
  refused: ImportRefusal[];
  passedOver: { label: string; reason: string }[];
}

interface Folder {
  path: string;
  label: string;
  files: Record<Kind, string[]>;
  /** Any unread file refuses the set, because it may be one of its pictures. */
  unread: ImportRefusal[];
}

const UNFINISHED = "an unfinished download";
/** Folders that programs show as one file, with thumbnails and deleted pictures inside. */
const LIBRARY = /\.(photoslibrary|photolibrary|aplibrary|migratedphotolibrary|imovielibrary|fcpbundle)$/i;

/** Reads names, sidecars and the start of files. */
export async function scanFolder(path: string, label = ""): Promise<Scanned> {
  const scanned: Scanned = { found: [], refused: [], passedOver: [] };
  const files: Folder["files"] = {
    video: [],
    picture: [],
    raw: [],
    companion: [],
    unfinished: [],
    other: [],
  };
  const folder: Folder = { path, label, files, unread: [] };
  const shown = label || basename(path);
  const entries = await readSource(shown, () => readEntries(path)).catch((error: unknown) => {
    scanned.refused.push(refusalOf(error, shown));
    return [];
  });
  const siblings = entries.map(({ name }) => name);
  for (const entry of entries) {
    const { name, kind } = entry;
    const reason = whyPassedOver({ name, isFolder: kind === "folder", parent: basename(path), siblings });
    if (reason === null) await sortEntry(entry, folder, scanned);
    else scanned.passedOver.push({ label: join(label, name), reason });
  }
  await findItems(folder, scanned);
  return { ...scanned, refused: [...new Set(scanned.refused)] };
}

async function sortEntry({ name, path, kind }: FolderEntry, folder: Folder, scanned: Scanned): Promise<void> {
  const label = join(folder.label, name);
  if (path === null) {
    const refused = kind === "folder" ? scanned.refused : folder.unread;
    refused.push(new ImportRefusal(label, "its name is not UTF-8; rename it"));
  } else if (kind === "file") folder.files[await kindOfFile(path)].push(name);
  else if (kind === "folder") add(scanned, await scanSubfolder(path, label));
  else if (kind === "folderLink") scanned.refused.push(new ImportRefusal(label, LINK));
  else folder.unread.push(new ImportRefusal(label, kind === "link" ? LINK : NO_FILE));
}

async function scanSubfolder(path: string, label: string): Promise<Scanned> {
  const refuse = (reason: string) => ({
    found: [],
    refused: [new ImportRefusal(label, reason)],
    passedOver: [],
  });
  if (LIBRARY.test(path)) return refuse("a program's library; export its pictures to a folder");
  return isUnfinishedName(path) ? refuse(UNFINISHED) : scanFolder(path, label);
}

/** One by one, because a large folder would give push() more arguments than a call can have. */
function add(scanned: Scanned, inner: Scanned): void {
  for (const one of inner.found) scanned.found.push(one);
  for (const one of inner.refused) scanned.refused.push(one);
  for (const one of inner.passedOver) scanned.passedOver.push(one);
}

async function findItems(folder: Folder, scanned: Scanned): Promise<void> {
  const { path, label, files, unread } = folder;
  const { picture: pictures, companion: companions } = files;
  const sidecars = await readSidecars(path, label, companions);
  const sidecarOf = (name: string) => sidecars.find((each) => isSameName(each.name, name))?.sidecar;
  const hasSidecar = (video: string) => sidecarOf(`${stemOf(video)}.yaml`) !== undefined;
  const { raws, videos } = await passOverCompanions(folder, scanned, hasSidecar);
  const refuse = (names: string[], reason: string) => {
    for (const name of names) unread.push(new ImportRefusal(join(label, name), reason));
  };
  refuse(files.other, NO_MEDIA);
  refuse(raws, RAW);
  refuse(files.unfinished, UNFINISHED);
  const [hasPictures, captions] = [pictures.length > 0, namedCaptions(sidecars)];
  const unused = listUnused({ companions, videos, hasPictures, captions });
  for (const one of unread) scanned.refused.push(one);
  for (const { name, reason } of unused) scanned.refused.push(new ImportRefusal(join(label, name), reason));

  const isAlone = videos.length + (hasPictures ? 1 : 0) === 1;
  const reported = new Set<ImportRefusal>();
  const addItem = (
    item: Pick<Found, "kind" | "label">,
    own: Sidecar | ImportRefusal | undefined,
    make: (sidecar: Sidecar) => Found,
  ) => {
    const shared = sidecarOf(FOLDER_SIDECAR) ?? {};
    const wrong = [shared, own].filter((sidecar) => sidecar instanceof ImportRefusal);
    for (const one of wrong.filter((each) => !reported.has(each))) scanned.refused.push(one);
    for (const one of wrong) reported.add(one);
    if (shared instanceof ImportRefusal || own instanceof ImportRefusal) {
      const names = wrong.map((each) => basename(each.path)).join(" and ");
      scanned.refused.push(new ImportRefusal(item.label, `${HELD_BACK}${names}, which would describe it`));
      return;
    }
    scanned.found.push(make({ ...(isAlone ? shared : sharedBySeveral(shared, item.kind)), ...own }));
  };
  for (const name of videos) {
    const video = { kind: "video", label: join(label, name), path: join(path, name) } as const;
    addItem(video, sidecarOf(`${stemOf(name)}.yaml`), (sidecar) => ({ ...video, sidecar }));
  }
  const set = { kind: "photoSet", label: label || basename(path) } as const;
  const [missing] = unread;
  if (hasPictures && missing) {
    const reason = `${HELD_BACK}${basename(missing.path)}, which is beside its pictures`;
    scanned.refused.push(new ImportRefusal(set.label, reason));
  } else if (hasPictures) {
    const paths = pictures.map((name) => join(path, name));
    addItem(set, undefined, (sidecar) => ({ ...set, paths, sidecar }));
  }
}

/** Skips raw pictures and clips that a camera keeps beside its photos; returns the others. */
async function passOverCompanions(
  { path, label, files }: Folder,
  scanned: Scanned,
  hasSidecar: (video: string) => boolean,
): Promise<{ raws: string[]; videos: string[] }> {
  const passOver = (name: string, reason: string) =>
    scanned.passedOver.push({ label: join(label, name), reason });
  const [raws, videos]: [string[], string[]] = [[], []];
  for (const name of files.raw) {
    const photo = photoBeside(name, files.picture);
    if (photo) passOver(name, `the raw picture of ${photo}`);
    else raws.push(name);
  }
  const photos = [...files.picture, ...files.raw];
  for (const name of files.video) {
    const photo = hasSidecar(name) ? undefined : photoBeside(name, photos);
    if (photo && (await isPhotoClip(join(path, name)))) passOver(name, `the clip of ${photo}`);
    else videos.push(name);
  }
  return { raws, videos };
}

/** Without the keys that describe a single item. A folder has at most one set, so the set keeps `photos`. */
function sharedBySeveral(shared: Sidecar, kind: Found["kind"]): Sidecar {
  const common = { ...shared, title: undefined, captions: undefined, chapters: undefined };
  return kind === "video" ? { ...common, photos: undefined } : common;
}
