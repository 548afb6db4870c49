import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { fromRandomAccessReaderPromise, openPromise, RandomAccessReader } from "yauzl";
import { type ZipEntry, type ZipLayout, zipLayout } from "./zip-layout.ts";

const modifiedAt = new Date("2026-11-27T08:30:14Z");

function entryOf(name: string, bytes: Buffer): ZipEntry {
  return { name, bytes: bytes.length, crc32: crc32(bytes), modifiedAt };
}

function whole({ parts }: ZipLayout, contents: Buffer[]): Buffer {
  return Buffer.concat(
    parts.map((part) => ("data" in part ? part.data() : (contents[part.entry] as Buffer))),
  );
}

test("a reader finds each file with its name, its time and its bytes, in every script", async () => {
  const names = ["Été/01.jpg", "Été/02.jpg", "写真集/03.jpg", "Пион/04.jpg", "زهرة/05.jpg", "🌸/06.jpg"];
  const contents = names.map((_, index) => randomBytes(index * 997));
  const layout = zipLayout(names.map((name, index) => entryOf(name, contents[index] as Buffer)));
  const folder = await mkdtemp(join(tmpdir(), "peony-zip-"));
  const path = join(folder, "set.zip");
  const archive = whole(layout, contents);
  await writeFile(path, archive);
  expect(archive).toHaveLength(layout.bytes);

  const zip = await openPromise(path);
  const found: [string, Buffer][] = [];
  for await (const entry of zip.eachEntry()) {
    expect(entry.getLastModDate({ timezone: "UTC" })).toEqual(modifiedAt);
    expect(utcOf(entry.extraFieldRaw)).toBe(modifiedAt.getTime() / 1000);
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    expect(crc32(Buffer.concat(chunks))).toBe(entry.crc32);
    found.push([entry.fileName, Buffer.concat(chunks)]);
  }
  expect(found).toEqual(names.map((name, index) => [name, contents[index]]));
  await rm(folder, { recursive: true });
});

test.each([
  ["1970-01-01T00:00:01Z", 1],
  ["2038-01-19T03:14:07Z", 2 ** 31 - 1],
  ["2039-05-01T00:00:00Z", null],
])("%s has the extended time %j", (time, seconds) => {
  const [header] = zipLayout([{ name: "a", bytes: 0, crc32: 0, modifiedAt: new Date(time) }]).parts;
  const local = header && "data" in header ? header.data() : Buffer.alloc(0);
  expect(utcOf(local.subarray(30 + local.readUInt16LE(26)))).toBe(seconds);
});

/** Info-ZIP's extended timestamp among the extra fields. Without it programs take the older time for their own zone's. */
function utcOf(extra: Buffer): number | null {
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 0x5455) return extra.readInt32LE(at + 5);
  }
  return null;
}

test("40 GB in 70,000 files are laid out without being made, and a reader finds all of them", async () => {
  const large = { bytes: 5_000_000_000, crc32: 1, modifiedAt };
  const small = { bytes: 500_000, crc32: 2, modifiedAt };
  const names = Array.from({ length: 70_000 }, (_, index) => `Set/${String(index + 1).padStart(5, "0")}.jpg`);
  const layout = zipLayout(names.map((name, index) => ({ name, ...(index === 9 ? large : small) })));
  expect(layout.bytes).toBeGreaterThan(40_000_000_000);

  const zip = await fromRandomAccessReaderPromise(new LaidOut(layout), layout.bytes, {});
  let count = 0;
  let last = 0;
  for await (const entry of zip.eachEntry()) {
    expect(entry.fileName).toBe(names[count]);
    expect(entry.uncompressedSize).toBe(count === 9 ? large.bytes : small.bytes);
    expect(entry.relativeOffsetOfLocalHeader).toBeGreaterThanOrEqual(last);
    if (count % 10_000 === 9) expect(utcOf(entry.extraFieldRaw)).toBe(modifiedAt.getTime() / 1000);
    last = entry.relativeOffsetOfLocalHeader + entry.uncompressedSize;
    count += 1;
  }
  expect(count).toBe(names.length);
});

test("an empty name and a name too long for a record are refused", () => {
  const facts = { bytes: 1, crc32: 0, modifiedAt };
  expect(() => zipLayout([{ name: "", ...facts }])).toThrow(RangeError);
  expect(() => zipLayout([{ name: "x".repeat(70_000), ...facts }])).toThrow(RangeError);
});

/** Reads records, and nothing of the files, which do not exist. */
class LaidOut extends RandomAccessReader {
  readonly #records: { start: number; bytes: number; data: () => Buffer }[];

  constructor({ parts }: ZipLayout) {
    super();
    this.#records = parts.flatMap((part) => ("data" in part ? [part] : []));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    let first = 0;
    for (let last = this.#records.length; first < last; ) {
      const middle = (first + last) >> 1;
      const { start = 0, bytes = 0 } = this.#records[middle] ?? {};
      if (start + bytes <= position) first = middle + 1;
      else last = middle;
    }
    for (let index = first; index < this.#records.length; index += 1) {
      const record = this.#records[index];
      if (record === undefined || record.start >= position + length) break;
      const data = record.data();
      const from = Math.max(0, position - record.start);
      const at = Math.max(0, record.start - position);
      data.copy(buffer, offset + at, from, Math.min(data.length, position + length - record.start));
    }
    callback(null);
  }
}
