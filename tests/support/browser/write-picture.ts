import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import sharp from "sharp";

/** Contents that no other test sends; `more` bytes behind the picture are no fault of it. */
export async function writePicture(path: string, more = 0): Promise<Buffer> {
  const [red = 0, green = 0, blue = 0] = randomBytes(3);
  const jpeg = await sharp({
    create: { width: 320, height: 400, channels: 3, background: { r: red, g: green, b: blue } },
  })
    .jpeg()
    .toBuffer();
  const bytes = Buffer.concat([jpeg, randomBytes(more + 16)]);
  await writeFile(path, bytes);
  return bytes;
}
