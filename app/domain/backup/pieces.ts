const PIECE_BYTES = 4 * 1024 * 1024;

/** Parts that together have about the size of one entry of the archive. */
export async function* inPieces<Part extends Uint8Array | string>(
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part[]> {
  let gathered: Part[] = [];
  let size = 0;
  for await (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < PIECE_BYTES) continue;
    yield gathered;
    gathered = [];
    size = 0;
  }
  if (gathered.length > 0) yield gathered;
}

/** JSON arrays of the items, in pieces. */
export async function* listsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const texts of inPieces(asJson(items))) yield `[${texts.join(",")}]`;
}

async function* asJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}
