// Needed because half a picture of gray was published without a word: decision 137.
/** The facts from the segments before a scan that are needed to read its Huffman codes. */
export interface Head {
  frame: Frame | null;
  /** By class and number: the length and symbol of the code that the next 16 bits begin with, or 0. */
  huffmanTables: Map<number, Uint16Array>;
  /** The first value of each quantization table. */
  quantizers: Map<number, number>;
  /** In MCUs; 0 without restart markers. */
  restartInterval: number;
  /** Low bits that no scan of a progressive picture has given yet, by component and coefficient. */
  missingBits: Map<string, number>;
}

interface Frame {
  width: number;
  height: number;
  isProgressive: boolean;
  components: { id: number; across: number; down: number; quantizer: number }[];
}

export interface ScanPlan {
  mcus: number;
  /** In MCUs. */
  restartInterval: number;
  /** The blocks of each MCU, in order. */
  blocks: { component: number; dc: Uint16Array; ac: Uint16Array; largest: number }[];
  /** The coefficients of a block that the scan gives. */
  first: number;
  last: number;
  isProgressive: boolean;
  /** Adds low bits to what earlier scans gave. */
  isRefinement: boolean;
  isOnlyScan: boolean;
}

export const SCAN = 0xda;
const HUFFMAN_TABLES = 0xc4;
const QUANTIZATION_TABLES = 0xdb;
const RESTART_INTERVAL = 0xdd;
const PROGRESSIVE = 0xc2;
const FRAMES = [0xc0, 0xc1, PROGRESSIVE];
const NO_CODES = new Uint16Array(2 ** 16);
/** The largest DC coefficient of 8-bit samples, with room for rounding encoders. */
const LARGEST_DC = 1024 * 1.1;

export function readSegment(head: Head, marker: number, segment: Uint8Array): void {
  if (marker === RESTART_INTERVAL) head.restartInterval = uint16(segment, 0);
  if (marker === HUFFMAN_TABLES) readHuffmanTables(head, segment);
  if (marker === QUANTIZATION_TABLES) readQuantizers(head, segment);
  if (FRAMES.includes(marker) && segment[0] === 8) {
    const components = Array.from({ length: segment[5] ?? 0 }, (_, index) => {
      const [id = 0, sampling = 0x11, quantizer = 0] = segment.subarray(6 + index * 3);
      return { id, across: sampling >> 4, down: sampling & 15, quantizer };
    });
    const isProgressive = marker === PROGRESSIVE;
    head.frame = { height: uint16(segment, 1), width: uint16(segment, 3), isProgressive, components };
  }
}

function readHuffmanTables({ huffmanTables }: Head, segment: Uint8Array): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const table = new Uint16Array(2 ** 16);
    huffmanTables.set(segment[at] ?? 0, table);
    let symbol = at + 17;
    let code = 0;
    for (let length = 1; length <= 16; length += 1) {
      const size = 2 ** (16 - length);
      for (let left = segment[at + length] ?? 0; left > 0; left -= 1) {
        table.fill((length << 8) | (segment[symbol] ?? 0), code, code + size);
        code += size;
        symbol += 1;
      }
    }
    at = symbol;
  }
}

function readQuantizers({ quantizers }: Head, segment: Uint8Array): void {
  for (let at = 0; at < segment.length; ) {
    const kind = segment[at] ?? 0;
    const isWide = kind > 15;
    quantizers.set(kind & 15, isWide ? uint16(segment, at + 1) : (segment[at + 1] ?? 0));
    at += isWide ? 129 : 65;
  }
}

/** Whether the scans of a progressive picture have given all of it. */
export function isComplete({ frame, missingBits }: Head): boolean {
  if (!frame?.isProgressive) return true;
  return (
    missingBits.size === frame.components.length * 64 && [...missingBits.values()].every((bits) => bits === 0)
  );
}

/** Null when the kind of the picture is not known here. */
export function planScan(
  { frame, huffmanTables, quantizers, restartInterval, missingBits }: Head,
  segment: Uint8Array,
): ScanPlan | null {
  if (!frame || frame.width === 0 || frame.height === 0) return null;
  const { components, isProgressive } = frame;
  const count = segment[0] ?? 0;
  const [first = 0, last = 0, bits = 0] = segment.subarray(1 + count * 2);
  const scale = isProgressive ? 2 ** (bits & 15) : 1;
  const isAlone = count === 1;
  const blocks: ScanPlan["blocks"] = [];
  let [across, down] = [1, 1];
  for (let index = 0; index < count; index += 1) {
    const [id, tables = 0] = segment.subarray(1 + index * 2);
    const component = components.findIndex((each) => each.id === id);
    const facts = components[component];
    if (!facts) return null;
    if (isAlone) ({ across, down } = facts);
    for (let position = first; position <= Math.min(last, 63); position += 1) {
      missingBits.set(`${component} ${position}`, bits & 15);
    }
    const largest = LARGEST_DC / ((quantizers.get(facts.quantizer) ?? 1) * scale) + 2;
    const [dc, ac] = [huffmanTables.get(tables >> 4), huffmanTables.get(0x10 | (tables & 15))];
    // Decoders know the usual tables, which some cameras leave out.
    if ((!dc && first === 0) || (!ac && last > 0)) return null;
    const block = { component, dc: dc ?? NO_CODES, ac: ac ?? NO_CODES, largest };
    blocks.push(...Array(isAlone ? 1 : facts.across * facts.down).fill(block));
  }
  const side = (length: number, most: number, own: number) => Math.ceil(Math.ceil((length * own) / most) / 8);
  const most = (key: "across" | "down") => Math.max(...components.map((each) => each[key]));
  const mcus = isAlone
    ? side(frame.width, most("across"), across) * side(frame.height, most("down"), down)
    : Math.ceil(frame.width / (8 * most("across"))) * Math.ceil(frame.height / (8 * most("down")));
  return {
    mcus,
    restartInterval: restartInterval || mcus,
    blocks,
    first,
    last: isProgressive ? last : 63,
    isProgressive,
    isRefinement: isProgressive && bits >> 4 > 0,
    isOnlyScan: !isProgressive && count === components.length,
  };
}

export function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
