import { constants, crc32, deflateRawSync } from "node:zlib";

export interface GzipPieces {
  pieces: { plain: Buffer; deflated: Buffer }[];
}

/** No name, no time, unknown system (RFC 1952, 2.3.1). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty final block (RFC 1951, 3.2.6). */
const LAST_BLOCK = Buffer.from([3, 0]);
const STORED_LIMIT = 0xffff;

export function compressPieces(texts: string[]): GzipPieces {
  // A full flush ends a piece at a whole byte without a final block, so that another block may follow.
  const flush = { finishFlush: constants.Z_FULL_FLUSH };
  const plain = texts.map((text) => Buffer.from(text));
  return { pieces: plain.map((piece) => ({ plain: piece, deflated: deflateRawSync(piece, flush) })) };
}

/** One gzip file of the pieces joined by `gap`, which must be ASCII. */
export function gzipWith({ pieces }: GzipPieces, gap: string): Buffer<ArrayBuffer> {
  const stored = storedBlock(gap);
  const parts: Buffer[] = [GZIP_HEADER];
  let checksum = 0;
  let bytes = 0;
  const add = (plain: string | Buffer, block: Buffer) => {
    parts.push(block);
    // For an empty buffer zlib would restart the checksum.
    if (plain.length > 0) checksum = crc32(plain, checksum);
    bytes += plain.length;
  };
  for (const [index, { plain, deflated }] of pieces.entries()) {
    if (index > 0) add(gap, stored);
    add(plain, deflated);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(bytes % 2 ** 32, 4);
  return Buffer.concat([...parts, LAST_BLOCK, trailer]) as Buffer<ArrayBuffer>;
}

/** A stored block (RFC 1951, 3.2.4). */
function storedBlock(text: string): Buffer {
  if (text.length > STORED_LIMIT) throw new RangeError("Too long for a stored block");
  const head = Buffer.alloc(5);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(~text.length & 0xffff, 3);
  return Buffer.concat([head, Buffer.from(text, "latin1")]);
}
