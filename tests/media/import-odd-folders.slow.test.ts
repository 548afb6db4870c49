import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { H264, importLines } from "../support/import-folder.ts";

type Color = "red" | "green" | "blue";

const BACKGROUND = { red: "#d03030", green: "#30a030", blue: "#3030d0" };

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-odd-"));
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

type Content = string | Uint8Array | (() => Promise<Uint8Array>);

interface Case {
  title: string;
  files: Record<string, Content>;
  /** A line for each item that a viewer gets, with the size and the color of its video or of its photos. */
  items: string[];
  /** Each line of the import but those of imported items. */
  lines: string[];
  /** A rehearsal of a video makes all that its import makes; tests/media/import-videos compares the two. */
  isNotRehearsed?: boolean;
  /** Reading the names is enough, and making many pictures takes long. */
  isDryOnly?: boolean;
}

/** Each video is encoded twice, on a machine that is busy with other tests. */
const TIMEOUT_MS = 180_000;
const CASES: Case[] = [
  {
    title: "thumbnails and deleted photos of a NAS and of Windows are skipped",
    files: {
      "Red Shoot/1.jpg": photo("red", 60, 40),
      "Red Shoot/2.jpg": photo("red", 61, 40),
      ...photos("Red Shoot/@eaDir/1.jpg/SYNOPHOTO_THUMB_XL.jpg"),
      ...photos("#recycle/Old Shoot/withdrawn.jpg", "$RECYCLE.BIN/S-1-5-21/$RABC123.jpg"),
      ...files("Red Shoot/thumbs.db", "Red Shoot/Desktop.ini", "Red Shoot/ehthumbs.db"),
    },
    items: ["Red Shoot: 60x40 red, 61x40 red"],
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
    title: "system folders of other desktops, NAS and snapshots are skipped in any letter case",
    files: {
      ...photos("a/1.jpg", "a/__MacOsx/._1.jpg", "a/._1.jpg", "a/.@__thumb/s1001.jpg", "@RECYCLE/a/1.jpg"),
      ...photos(".Trash-1000/files/x.jpg", "Recycler/x.jpg", "trashbox/x.jpg", "@Recently-Snapshot/d/x.jpg"),
      ...photos("System Volume Information/x.jpg", "Lost+Found/x.jpg", "LOST.DIR/x.jpg", "FOUND.000/x.jpg"),
      ...files("a/.DS_Store", "a/Icon\r", "a/EHTHUMBS_VISTA.DB", "a/Picasa.ini"),
    },
    isDryOnly: true,
    items: [],
    lines: [
      "wouldImport a",
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
    title: "the indexes, thumbnails and small copies of a camera's card are skipped",
    files: {
      ...photos("DCIM/100CANON/IMG_1.JPG", "DCIM/100CANON/MVI_2.THM", "PRIVATE/M4ROOT/THMBNL/C0001T01.JPG"),
      ...photos("PRIVATE/M4ROOT/Sub/x.jpg"),
      ...files(
        "DCIM/100CANON/IMG_1.xmp",
        "DCIM/100CANON/IMG_1.AAE",
        "DCIM/100GOPRO/GL1.LRV",
        "MISC/version.txt",
      ),
      ...files(
        "DCIM/CANONMSC/M0100.CTG",
        "PRIVATE/AVCHD/BDMV/INDEX.BDM",
        "DCIM/100CANON/IMG_1.JPG.supp.json",
      ),
    },
    isDryOnly: true,
    items: [],
    lines: [
      "wouldImport DCIM/100CANON",
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
      ...["Recycle Bin - Volume/1.jpg", "gsdata/1.jpg", "NAS_Recycle/1.jpg", "misc/LRV_2022.jpg"],
    ),
    isDryOnly: true,
    items: [],
    lines: [
      ...[
        "#girls",
        "@home",
        "Lost and Found",
        "NAS_Recycle",
        "Private",
        "Recycle",
        "Recycle Bin - Volume",
        "Thumbs",
        "Trash Polka",
        "gsdata",
        "misc",
        "snapshot",
      ],
      "sub",
    ].map((name) => `wouldImport ${name}`),
  },
  {
    title: "a video whose picture ends early is imported, with the last picture as its poster",
    files: {
      "a one frame.mp4": video("red", { seconds: 0.1 }),
      "b podcast.mp4": video("red", { seconds: 0.4, last: "blue", audioSeconds: 5 }),
      "c good.mp4": video("green", { seconds: 0.2 }),
    },
    isNotRehearsed: true,
    items: ["a one frame: 64x36 red", "b podcast: 64x36 blue", "c good: 64x36 green"],
    lines: [],
  },
  {
    title: "contents decide what a file is, whatever its ending",
    files: {
      "Blue Shoot/1.jpg": photo("red", 60, 40),
      "Blue Shoot/2.jfif": photo("green", 60, 40),
      "Blue Shoot/3.jpe": photo("blue", 60, 40),
      "Blue Shoot/4.jpeg": photo("red", 61, 40),
      "Blue Shoot/5": photo("green", 61, 40),
      "Blue Shoot/6.mp4": photo("blue", 61, 40),
      "clips/a.m2t": video("red", { seconds: 1, format: "mpegts" }),
      "clips/c.jpg": video("blue", { seconds: 0.2 }),
    },
    isNotRehearsed: true,
    items: [
      "a: 64x36 red",
      "Blue Shoot: 60x40 red, 60x40 green, 60x40 blue, 61x40 red, 61x40 green, 61x40 blue",
      "c: 64x36 blue",
    ],
    lines: [],
  },
  {
    title: "an unreadable file refuses its set",
    files: {
      ...photos("a/1.jpg", "b/1.jpg", "c/1.jpg", "d/1.jpg", "e/1.jpg"),
      ...files("a/2.cr2", "b/2.jpg.part", "c/notes.txt", "e/2.svg", "e/3.heic"),
    },
    isDryOnly: true,
    items: [],
    lines: [
      "refused a/2.cr2: a camera's raw picture; save it as JPEG first",
      "refused a: not imported without 2.cr2, which is beside its pictures",
      "refused b/2.jpg.part: an unfinished download",
      "refused b: not imported without 2.jpg.part, which is beside its pictures",
      "refused c/notes.txt: neither a video nor a picture",
      "refused c: not imported without notes.txt, which is beside its pictures",
      "refused e/2.svg: not a supported picture",
      "refused e/3.heic: not a supported picture",
      "wouldImport d",
    ],
  },
  {
    title:
      "short clips and raw pictures beside photos of their names are passed over, and described videos are not",
    files: {
      "live/IMG_1.JPG": photo("red", 60, 40),
      "live/img_1.mov": video("red", { seconds: 1 }),
      "live/IMG_1.CR2": "x",
      "live/PXL_2.MP.jpg": photo("blue", 60, 40),
      "live/PXL_2.MP": video("blue", { seconds: 1 }),
      "live/media.yaml": "title: Live\n",
      "teaser/a.jpg": photo("green", 60, 40),
      "teaser/a.mp4": video("green", { seconds: 1 }),
      "teaser/a.yaml": "title: Teaser\n",
      "raw/IMG_9.DNG": "x",
      "raw/img_9.mov": video("red", { seconds: 1 }),
      "talk/b.jpg": photo("blue", 61, 40),
      "talk/b.mp4": video("blue", { seconds: 6 }),
    },
    isDryOnly: true,
    items: [],
    lines: [
      "passedOver live/IMG_1.CR2: the raw picture of IMG_1.JPG",
      "passedOver live/PXL_2.MP: the clip of PXL_2.MP.jpg",
      "passedOver live/img_1.mov: the clip of IMG_1.JPG",
      "passedOver raw/img_9.mov: the clip of IMG_9.DNG",
      "refused raw/IMG_9.DNG: a camera's raw picture; save it as JPEG first",
      "wouldImport talk",
      "wouldImport talk/b.mp4",
      "wouldImport live",
      "wouldImport teaser",
      "wouldImport teaser/a.mp4",
    ],
  },
  {
    title: "names in two forms of Unicode are one name, and a number is a title",
    files: {
      "Cafe\u0301.mp4": video("red", { seconds: 0.2 }),
      "Caf\u00e9.yaml": 'title: 1984\ncaptions: [{ language: fr, label: 007, file: "\u00e9.srt" }]\n',
      "e\u0301.srt": "1\n00:00:00,500 --> 00:00:01,400\nHello\n",
      [`${"a".repeat(199)}${"\u{1f469}\u200d\u{1f680}".repeat(2)}/1.jpg`]: photo("red", 60, 40),
      "No\u00ebl/1.jpg": photo("blue", 60, 40),
      "No\u00ebl/media.yaml": "creators: Zo\u00eb\ntags: [2024, yes]\ndescription:\n",
      "Noe\u0308l 2/1.jpg": photo("green", 60, 40),
      "Noe\u0308l 2/media.yaml": "creators: [Zoe\u0308]\ntags: [yes, 1.50]\n",
    },
    isNotRehearsed: true,
    items: [
      "1984: 64x36 red",
      `${"a".repeat(199)}: 60x40 red`,
      "No\u00ebl 2 by Zo\u00eb, 1.50, yes: 60x40 green",
      "No\u00ebl by Zo\u00eb, 2024, yes: 60x40 blue",
    ],
    lines: [],
  },
  {
    title: "a title from a name is one that the studio saves",
    files: {
      "Silk \u202e\u2066evil\u202c/1.jpg": photo("red", 60, 40),
      "Dusk\u0001\u0085_2 \u202e/1.jpg": photo("green", 60, 40),
      "\u202e\u3164/1.jpg": photo("blue", 60, 40),
    },
    isNotRehearsed: true,
    items: ["Dusk 2: 60x40 green", "Silk evil: 60x40 red", "Untitled: 60x40 blue"],
    lines: [],
  },
];

test.each(CASES)(
  "$title",
  { timeout: TIMEOUT_MS },
  async ({ files, items, lines, isDryOnly, isNotRehearsed }) => {
    await writeTree(files);
    const dry = isNotRehearsed ? null : await importLines(folder, { isDryRun: true });
    if (isDryOnly) return expect(dry?.sort()).toEqual(lines.toSorted());
    const real = await importLines(folder);
    if (dry) expect(dry.map((line) => line.replace(/^wouldImport/, "imported"))).toEqual(real);
    expect(real.filter((line) => !line.startsWith("imported")).sort()).toEqual(lines.toSorted());
    expect((await listItems()).sort()).toEqual(items.toSorted());
  },
);

test("an unexpected error refuses its item by name, and the rest continues", async () => {
  await writeTree({ "a/1.jpg": photo("red"), "b/1.jpg": photo("blue"), "c/1.jpg": photo("green") });
  await db.execute(sql`ALTER TABLE media ADD CONSTRAINT no_b CHECK (title <> 'b')`);
  try {
    expect(await importLines(folder)).toEqual([
      "imported a",
      'refused b: unexpected: new row for relation "media" violates check constraint "no_b"',
      "imported c",
    ]);
  } finally {
    await db.execute(sql`ALTER TABLE media DROP CONSTRAINT no_b`);
  }
});

test("a dry run reports the second of two identical files as a duplicate", async () => {
  await writeTree({ "a/1.jpg": photo("red"), "b/2.jpg": photo("red") });
  expect(await importLines(folder, { isDryRun: true })).toEqual(["wouldImport a", "present b"]);
});

test("links and names that are not UTF-8 are refused by kind, with their set", async () => {
  await writeTree({ "a/1.jpg": photo("red"), "b/1.jpg": photo("red"), "c/1.jpg": photo("red") });
  await symlink(join(folder, "c", "1.jpg"), join(folder, "a", "2.jpg"));
  await symlink(join(folder, "c"), join(folder, "c", "itself"));
  await writeFile(
    Buffer.concat([Buffer.from(`${folder}/b/caf`), Buffer.from([0xe9]), Buffer.from(".jpg")]),
    "x",
  );
  expect((await importLines(folder, { isDryRun: true })).sort()).toEqual([
    "refused a/2.jpg: links are not followed",
    "refused a: not imported without 2.jpg, which is beside its pictures",
    "refused b/caf\\xe9.jpg: its name is not UTF-8; rename it",
    "refused b: not imported without caf\\xe9.jpg, which is beside its pictures",
    "refused c/itself: links are not followed",
    "wouldImport c",
  ]);
});

test("a faulty sidecar names each item that it refuses", async () => {
  await writeTree({
    "a/1.jpg": photo("red"),
    "a/b.mp4": "x",
    "a/c.mp4": "x",
    "a/c.yaml": "titel: C\n",
    "a/media.yaml": "tags: { a: b }\n",
    "d/e.mp4": video("red", { seconds: 0.2 }),
    "d/f.mp4": "x",
    "d/f.yaml": "titel: F\n",
  });
  expect((await importLines(folder, { isDryRun: true })).sort()).toEqual([
    "refused a/b.mp4: not imported without media.yaml, which would describe it",
    "refused a/c.mp4: not imported without media.yaml and c.yaml, which would describe it",
    "refused a/c.yaml: unknown key titel",
    "refused a/media.yaml: tags: must be a list",
    "refused a: not imported without media.yaml, which would describe it",
    "refused d/f.mp4: not imported without f.yaml, which would describe it",
    "refused d/f.yaml: unknown key titel",
    "wouldImport d/e.mp4",
  ]);
});

test.each([
  ["title: a: b", "put the text in quotes"],
  ["title: [a]", "title: must be text"],
  ["tags: { a: b }", "tags: must be a list"],
  ['title: "a\\0b"', "title: contains a control character"],
  [Buffer.from("title: Gr\u00fc\u00dfe", "latin1"), "not UTF-8; save it as UTF-8"],
  ["captions: [{ language: ru, label: x, file: a.srt, encoding: cp-1251x }]", "must be an encoding such as"],
])("the sidecar %j is refused with advice", async (yaml, reason) => {
  await writeTree({ "a/1.jpg": photo("red"), "a/media.yaml": yaml });
  expect(await importLines(folder, { isDryRun: true })).toEqual([
    expect.stringMatching(/^refused a\/media\.yaml: /),
    "refused a: not imported without media.yaml, which would describe it",
  ]);
  expect(String(await importLines(folder, { isDryRun: true }))).toContain(reason);
});

function photo(color: Color, width = 60, height = 40) {
  const background = BACKGROUND[color];
  return (): Promise<Uint8Array> =>
    sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer();
}

interface VideoOptions {
  seconds: number;
  /** The color of its last picture. */
  last?: Color;
  audioSeconds?: number;
  format?: "mp4" | "mpegts" | "vob" | "3g2" | "f4v";
}

const made = new Map<string, Promise<Uint8Array>>();

/** Made once for all cases. */
function video(color: Color, options: VideoOptions): () => Promise<Uint8Array> {
  const key = JSON.stringify([color, options]);
  return () => {
    const found = made.get(key) ?? makeVideo(color, options)();
    made.set(key, found);
    return found;
  };
}

function makeVideo(color: Color, { seconds, last = color, audioSeconds, format = "mp4" }: VideoOptions) {
  return async (): Promise<Uint8Array> => {
    const path = join(await mkdtemp(join(tmpdir(), "peony-odd-video-")), "video");
    const picture = (hue: Color, length: number) =>
      `color=c=${BACKGROUND[hue].replace("#", "0x")}:s=64x36:r=10:d=${length},format=yuv420p`;
    const graph = `${picture(color, seconds)}[a];${picture(last, 0.1)}[b];[a][b]concat`;
    const audio = audioSeconds ? ["-f", "lavfi", "-i", `sine=d=${audioSeconds}`, "-c:a", "aac"] : [];
    const frames = last === color ? ["-frames:v", String(seconds * 10)] : [];
    await promisify(execFile)("ffmpeg", [
      ...["-v", "error", "-f", "lavfi", "-i", graph, ...audio, ...H264, ...frames, "-f", format, path],
    ]);
    return readFile(path);
  };
}

/** Small pictures, each of another color. */
function photos(...paths: string[]): Record<string, Content> {
  return Object.fromEntries(paths.map((path, index) => [path, photo("red", 60 + index)]));
}

function files(...paths: string[]): Record<string, Content> {
  return Object.fromEntries(paths.map((path) => [path, "x"]));
}

async function writeTree(contents: Record<string, Content>) {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "function" ? await content() : content);
  }
}

async function listItems(): Promise<string[]> {
  const rows = await db.execute<{ title: string; width: number; height: number; color: string }>(sql`
    SELECT title || coalesce(credits, '') || coalesce(labels, '') AS title, coalesce(p.width, m.width) AS width,
      coalesce(p.height, m.height) AS height, coalesce(p.color, m.color) AS color
    FROM media m LEFT JOIN photos p ON p.media_id = m.id,
      LATERAL (SELECT string_agg(' by ' || name, '' ORDER BY name) AS credits
        FROM creators JOIN media_creators c ON c.creator_id = id WHERE c.media_id = m.id),
      LATERAL (SELECT string_agg(', ' || name, '' ORDER BY name) AS labels
        FROM tags JOIN media_tags t ON t.tag_id = id WHERE t.media_id = m.id)
    ORDER BY title, position`);
  const items = new Map<string, string[]>();
  for (const { title, width, height, color } of rows) {
    items.set(title, [...(items.get(title) ?? []), `${width}x${height} ${nameOf(color)}`]);
  }
  return Array.from(items, ([title, parts]) => `${title}: ${parts.join(", ")}`);
}

function nameOf(color: string): Color | null {
  const channels = (color.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16));
  return (["red", "green", "blue"] as const)[channels.indexOf(Math.max(...channels))] ?? null;
}
