import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const FOLDER = "build/client";
const TEXT = /\.(?:css|js|json|svg)$/;
/** Below this, the headers of a response outweigh the savings. */
const MIN_BYTES = 500;

/** For nginx, which sends the compressed files as they are. */
export function compressAssets() {
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: "utf8" })) {
    if (!TEXT.test(path)) continue;
    const file = `${FOLDER}/${path}`;
    const bytes = readFileSync(file);
    if (bytes.length < MIN_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
