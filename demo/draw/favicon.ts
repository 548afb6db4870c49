import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";

const SIZES = [16, 32, 48];
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

/** Browsers, feed readers and bookmark lists request this file without having read a page. */
export async function makeFavicon(mark: string, target: string): Promise<void> {
  const svg = await readFile(mark);
  const images = await Promise.all(
    SIZES.map((size) =>
      sharp(svg, { density: 300 }).resize(size).png({ compressionLevel: 9, palette: true }).toBuffer(),
    ),
  );
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = HEADER_BYTES + ENTRY_BYTES * images.length;
  const entries = images.map((image, index) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    const size = SIZES[index] ?? 0;
    entry.writeUInt8(size, 0);
    entry.writeUInt8(size, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(image.byteLength, 8);
    entry.writeUInt32LE(offset, 12);
    offset += image.byteLength;
    return entry;
  });
  await writeFile(target, Buffer.concat([header, ...entries, ...images]));
}
