/** Bytes are stored as they are, so the archive's length is known before it is made. */
export interface ZipEntry {
  name: string;
  bytes: number;
  crc32: number;
  modifiedAt: Date;
}

type Content = { data: () => Buffer } | { entry: number };
export type ZipPart = { start: number; bytes: number } & Content;

export interface ZipLayout {
  bytes: number;
  parts: ZipPart[];
}

/** A field with this value refers to the ZIP64 record. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const MADE_ON_UNIX = 3 << 8;
const REGULAR_FILE = 0o100644;
const ZIP64_FIELD = 1;
const TIME_FIELD = 0x5455;
const HAS_MODIFIED_TIME = 1;
const MAX_TIME = 2 ** 31 - 1;
const SIZES = { local: 30, central: 46, end: 22, end64: 56, locator64: 20, timeField: 9 };

interface LaidOut extends ZipEntry {
  encodedName: Buffer;
  start: number;
}

/** By APPNOTE 6.3.10. No library writes an archive from its middle, as a resumed download needs. Throws a RangeError. */
export function zipLayout(entries: readonly ZipEntry[]): ZipLayout {
  const parts: ZipPart[] = [];
  let at = 0;
  const add = (bytes: number, content: Content) => {
    parts.push({ ...content, bytes, start: at });
    at += bytes;
  };
  const laidOut: LaidOut[] = [];
  for (const [index, entry] of entries.entries()) {
    const encodedName = Buffer.from(entry.name, "utf8");
    if (encodedName.length === 0 || encodedName.length > MAX_16)
      throw new RangeError("the name is empty or too long");
    const file = { ...entry, encodedName, start: at };
    laidOut.push(file);
    add(SIZES.local + encodedName.length + localField(file).length, { data: () => localHeader(file) });
    if (entry.bytes > 0) add(entry.bytes, { entry: index });
  }
  const directoryAt = at;
  for (const file of laidOut) {
    const bytes = SIZES.central + file.encodedName.length + centralField(file).length;
    add(bytes, { data: () => centralHeader(file) });
  }
  const directory = { count: laidOut.length, at: directoryAt, bytes: at - directoryAt };
  const end = endRecords(directory);
  add(end.length, { data: () => end });
  return { bytes: at, parts };
}

function isLarge(value: number): boolean {
  return value >= MAX_32;
}

function localHeader(file: LaidOut): Buffer {
  const { bytes, encodedName } = file;
  const header = Buffer.alloc(SIZES.local);
  const isZip64 = isLarge(bytes);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isZip64 ? VERSION_ZIP64 : VERSION, 4);
  writeFacts(header, 6, file);
  header.writeUInt16LE(encodedName.length, 26);
  const field = localField(file);
  header.writeUInt16LE(field.length, 28);
  return Buffer.concat([header, encodedName, field]);
}

function centralHeader(file: LaidOut): Buffer {
  const { bytes, encodedName, start } = file;
  const header = Buffer.alloc(SIZES.central);
  const version = isLarge(bytes) || isLarge(start) ? VERSION_ZIP64 : VERSION;
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(MADE_ON_UNIX | version, 4);
  header.writeUInt16LE(version, 6);
  writeFacts(header, 8, file);
  header.writeUInt16LE(encodedName.length, 28);
  const field = centralField(file);
  header.writeUInt16LE(field.length, 30);
  header.writeUInt16LE(REGULAR_FILE, 40);
  header.writeUInt32LE(Math.min(start, MAX_32), 42);
  return Buffer.concat([header, encodedName, field]);
}

/** A local header needs both sizes in its ZIP64 field. */
function localField({ bytes, modifiedAt }: LaidOut): Buffer {
  const sizes = isLarge(bytes) ? [zip64Field([bytes, bytes])] : [];
  return Buffer.concat([...sizes, timeField(modifiedAt)]);
}

function centralField({ bytes, start, modifiedAt }: LaidOut): Buffer {
  const values = [...(isLarge(bytes) ? [bytes, bytes] : []), ...(isLarge(start) ? [start] : [])];
  return Buffer.concat([...(values.length === 0 ? [] : [zip64Field(values)]), timeField(modifiedAt)]);
}

/** Programs read the older field in their own time zone. After 2038, an entry has only that one. */
function timeField(modifiedAt: Date): Buffer {
  const seconds = Math.floor(modifiedAt.getTime() / 1000);
  if (seconds < 0 || seconds > MAX_TIME) return Buffer.alloc(0);
  const field = Buffer.alloc(SIZES.timeField);
  field.writeUInt16LE(TIME_FIELD, 0);
  field.writeUInt16LE(SIZES.timeField - 4, 2);
  field.writeUInt8(HAS_MODIFIED_TIME, 4);
  field.writeInt32LE(seconds, 5);
  return field;
}

function zip64Field(values: number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(ZIP64_FIELD, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
}

function writeFacts(header: Buffer, at: number, { bytes, crc32, modifiedAt }: LaidOut): void {
  const { date, time } = dosTime(modifiedAt);
  header.writeUInt16LE(UTF8_NAMES, at);
  header.writeUInt16LE(STORED, at + 2);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
  header.writeUInt32LE(crc32, at + 8);
  header.writeUInt32LE(Math.min(bytes, MAX_32), at + 12);
  header.writeUInt32LE(Math.min(bytes, MAX_32), at + 16);
}

/** UTC, from 1980 to 2107, in steps of two seconds. */
function dosTime(time: Date): { date: number; time: number } {
  const year = Math.min(2107, Math.max(1980, time.getUTCFullYear()));
  return {
    date: ((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
    time: (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
  };
}

function endRecords(directory: { count: number; at: number; bytes: number }): Buffer {
  const { count, at, bytes } = directory;
  const end = Buffer.alloc(SIZES.end);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(at, MAX_32), 16);
  if (count < MAX_16 && !isLarge(at) && !isLarge(bytes)) return end;
  const end64 = Buffer.alloc(SIZES.end64);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(BigInt(SIZES.end64 - 12), 4);
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  end64.writeUInt16LE(VERSION_ZIP64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(bytes), 40);
  end64.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(SIZES.locator64);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
