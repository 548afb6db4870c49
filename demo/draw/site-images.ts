import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { makeFavicon } from "./favicon.ts";
import { composeScene, renderFrame } from "./render.ts";
import { seededRandom } from "./scenes/noise.ts";

const SHARED = { width: 1200, height: 630 };
const TOUCH_ICON = 180;
const MARK = "public/peony.svg";
// The site blocks formats that no photo has. This picture is our own file.
sharp.unblock({ operation: ["VipsForeignLoadSvg"] });

/** Makes the preview picture for links to the site, and the icons for browsers and home screens. */
export async function makeSiteImages(): Promise<void> {
  const frame = { ...SHARED, time: 0, grain: 0.016 };
  const cloth = renderFrame(composeScene("silk", "shared 3"), frame, seededRandom("shared grain"));
  const mark = await sharp(await whiteMark(), { density: 400 })
    .resize(230)
    .png()
    .toBuffer();
  await sharp(cloth, { raw: { width: SHARED.width, height: SHARED.height, channels: 3 } })
    .composite([{ input: mark }])
    .png({ palette: true, quality: 92, dither: 1 })
    .toFile("public/og.png");

  const icon = await sharp(MARK, { density: 300 }).resize(150).png().toBuffer();
  await sharp({ create: { width: TOUCH_ICON, height: TOUCH_ICON, channels: 3, background: "#fff0f6" } })
    .composite([{ input: icon }])
    .png()
    .toFile("public/apple-touch-icon.png");
  await makeFavicon(MARK, "public/favicon.ico");
}

async function whiteMark(): Promise<Buffer> {
  const svg = await readFile(MARK, "utf8");
  return Buffer.from(svg.replaceAll("#d92d72", "#ffffff").replaceAll("#ffe0ec", "#ffffff"));
}
