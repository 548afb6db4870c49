import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { importLines } from "../support/import-folder.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-odd-"));
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

type Content = string | Uint8Array | Promise<Uint8Array>;

interface Case {
  title: string;
  files: Record<string, Content>;
  /** What a viewer gets, one line for an item. */
  items: string[];
  /** Each line of the import but those of imported items. */
  lines: string[];
  /** Reading the names is enough, and making many pictures takes long. */
  isDryOnly?: boolean;
}

const CASES: Case[] = [
  {
    title: "thumbnails and deleted photos of a NAS and of Windows are passed over",
    files: {
      ...photos("Red Shoot/1.jpg", "Red Shoot/2.jpg", "Red Shoot/@eaDir/1.jpg/SYNOPHOTO_THUMB_XL.jpg"),
      ...photos("#recycle/Old Shoot/withdrawn.jpg", "$RECYCLE.BIN/S-1-5-21/$RABC123.jpg"),
      ...files("Red Shoot/thumbs.db", "Red Shoot/Desktop.ini", "Red Shoot/ehthumbs.db"),
    },
    items: ["photoSet Red Shoot, 2 photos"],
    lines: [
      "passedOver #recycle: deleted files",
      "passedOver $RECYCLE.BIN: deleted files",
      "passedOver Red Shoot/@eaDir: thumbnails",
      "passedOver Red Shoot/Desktop.ini: the system's own data",
      "passedOver Red Shoot/ehthumbs.db: thumbnails",
      "passedOver Red Shoot/thumbs.db: thumbnails",
    ],
  },
  {
    title: "system folders of other desktops, NAS and snapshots are passed over in any case of letters",
    files: {
      ...photos("a/1.jpg", "a/__MacOsx/._1.jpg", "a/._1.jpg", "a/.@__thumb/s1001.jpg", "@RECYCLE/a/1.jpg"),
      ...photos(".Trash-1000/files/x.jpg", "Recycler/x.jpg", "trashbox/x.jpg", "@Recently-Snapshot/d/x.jpg"),
      ...photos("System Volume Information/x.jpg", "Lost+Found/x.jpg", "LOST.DIR/x.jpg", "FOUND.000/x.jpg"),
      ...files("a/.DS_Store", "a/Icon\r", "a/EHTHUMBS_VISTA.DB", "a/Picasa.ini"),
    },
    items: ["photoSet a, 1 photos"],
    lines: [
      "passedOver .Trash-1000: hidden, its name begins with a dot",
      "passedOver @Recently-Snapshot: the system's own data",
      "passedOver @RECYCLE: deleted files",
      "passedOver FOUND.000: the system's own data",
      "passedOver LOST.DIR: the system's own data",
      "passedOver Lost+Found: the system's own data",
      "passedOver Recycler: deleted files",
      "passedOver System Volume Information: the system's own data",
      "passedOver a/.@__thumb: hidden, its name begins with a dot",
      "passedOver a/.DS_Store: hidden, its name begins with a dot",
      "passedOver a/._1.jpg: hidden, its name begins with a dot",
      "passedOver a/EHTHUMBS_VISTA.DB: thumbnails",
      "passedOver a/Icon\r: the system's own data",
      "passedOver a/Picasa.ini: another program's own data",
      "passedOver a/__MacOsx: the system's own data",
      "passedOver trashbox: deleted files",
    ],
  },
  {
    title: "the indexes, thumbnails and small copies of a camera's card are passed over",
    files: {
      ...photos("DCIM/100CANON/IMG_1.JPG", "DCIM/100CANON/MVI_2.THM", "PRIVATE/M4ROOT/THMBNL/C0001T01.JPG"),
      ...photos("PRIVATE/M4ROOT/Sub/x.jpg"),
      ...files("DCIM/100CANON/IMG_1.xmp", "DCIM/100CANON/IMG_1.AAE", "DCIM/100GOPRO/GL1.LRV", "MISC/version.txt"),
      ...files("DCIM/CANONMSC/M0100.CTG", "PRIVATE/AVCHD/BDMV/INDEX.BDM", "DCIM/100CANON/IMG_1.JPG.supp.json"),
    },
    items: ["photoSet 100CANON, 1 photos"],
    lines: [
      "passedOver DCIM/100CANON/IMG_1.AAE: a camera's own data",
      "passedOver DCIM/100CANON/IMG_1.JPG.supp.json: another program's own data",
      "passedOver DCIM/100CANON/IMG_1.xmp: another program's own data",
      "passedOver DCIM/100CANON/MVI_2.THM: a camera's own data",
      "passedOver DCIM/100GOPRO/GL1.LRV: a camera's own data",
      "passedOver DCIM/CANONMSC: a camera's own data",
      "passedOver MISC: a camera's own data",
      "passedOver PRIVATE/AVCHD/BDMV/INDEX.BDM: a camera's own data",
      "passedOver PRIVATE/M4ROOT/Sub: a camera's own data",
      "passedOver PRIVATE/M4ROOT/THMBNL: thumbnails",
    ],
  },
  {
    title: "names that only resemble system folders are imported",
    files: photos(
      ...["Recycle/1.jpg", "Trash Polka/1.jpg", "misc/1.jpg", "sub/1.jpg", "#girls/1.jpg", "@home/1.jpg"],
      ...["Thumbs/1.jpg", "Private/1.jpg", "Lost and Found/1.jpg", "misc/recycler.jpg", "snapshot/1.jpg"],
    ),
    isDryOnly: true,
    items: [],
    lines: [
      ...["#girls", "@home", "Lost and Found", "Private", "Recycle", "Thumbs", "Trash Polka", "misc", "snapshot"],
      "sub",
    ].map((name) => `wouldImport ${name}`),
  },
];

test.each(CASES)("$title", async ({ files, items, lines, isDryOnly }) => {
  await writeTree(files);
  const dry = await importLines(folder, { isDryRun: true });
  if (isDryOnly) return expect(dry.sort()).toEqual(lines.toSorted());
  const real = await importLines(folder);
  expect(dry.map((line) => line.replace(/^wouldImport/, "imported"))).toEqual(real);
  expect(real.filter((line) => !line.startsWith("imported")).sort()).toEqual(lines.toSorted());
  expect(await listItems()).toEqual(items);
});

/** Small pictures, each of another color. */
function photos(...paths: string[]): Record<string, Content> {
  return Object.fromEntries(paths.map((path) => [path, photo(path)]));
}

function files(...paths: string[]): Record<string, Content> {
  return Object.fromEntries(paths.map((path) => [path, "x"]));
}

function photo(seed: string): Promise<Uint8Array> {
  const background = `#${createHash("sha256").update(seed).digest("hex").slice(0, 6)}`;
  return sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function writeTree(contents: Record<string, Content>) {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), await content);
  }
}

async function listItems(): Promise<string[]> {
  const rows = await db.execute<{ type: string; title: string; photos: number | null }>(sql`
    SELECT type, title, photo_count AS photos FROM media ORDER BY lower(title)`);
  return rows.map(({ type, title, photos: count }) =>
    count === null ? `${type} ${title}` : `${type} ${title}, ${count} photos`,
  );
}
