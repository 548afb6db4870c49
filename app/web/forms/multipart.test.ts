import { expect, test } from "vitest";
import { boundaryOf, MultipartError, readMultipart } from "./multipart.ts";

const BOUNDARY = "----formdata-7";

function bodyOf(parts: [head: string, content: string][]): Buffer {
  const written = parts.map(([head, content]) => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`);
  return Buffer.from(`${written.join("")}--${BOUNDARY}--\r\n`);
}

async function read(body: Buffer, pieceBytes: number) {
  const read: { name: string; fileName: string | null; content: string }[] = [];
  async function* pieces() {
    for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
  }
  await readMultipart(pieces(), BOUNDARY, (head) => {
    const part = { ...head, content: "" };
    read.push(part);
    return {
      write(bytes) {
        part.content += bytes.toString("latin1");
      },
      end() {
        part.content += "|";
      },
    };
  });
  return read;
}

const FIELD = 'Content-Disposition: form-data; name="section"';
const FILE =
  'Content-Disposition: form-data; name="photos"; filename="a;b=%22c%22.jpg"\r\nContent-Type: image/jpeg';

test.each([1, 2, 7, 4096])("a form with files reads the same in pieces of %i bytes", async (pieceBytes) => {
  // The content almost looks like a boundary.
  const body = bodyOf([
    [FIELD, "cover"],
    [FILE, `\r\n--${BOUNDARY.slice(0, -1)}x\r\n\r\n`],
    [FILE, ""],
  ]);
  expect(await read(body, pieceBytes)).toEqual([
    { name: "section", fileName: null, content: "cover|" },
    { name: "photos", fileName: 'a;b="c".jpg', content: `\r\n--${BOUNDARY.slice(0, -1)}x\r\n\r\n|` },
    { name: "photos", fileName: 'a;b="c".jpg', content: "|" },
  ]);
});

test.each([
  ["is cut off", bodyOf([[FILE, "abc"]]).subarray(0, -8)],
  ["has a part without a name", bodyOf([["Content-Type: text/plain", "abc"]])],
  ["has a head without an end", Buffer.from(`--${BOUNDARY}\r\n${"x".repeat(9_000)}`)],
  ["is empty", Buffer.alloc(0)],
])("a form that %s is refused", async (_, body) => {
  await expect(read(body, 64)).rejects.toThrow(MultipartError);
});

test("the boundary is read from the content type", () => {
  expect(boundaryOf(`multipart/form-data; boundary=${BOUNDARY}`)).toBe(BOUNDARY);
  expect(boundaryOf('multipart/form-data; boundary="a b"')).toBe("a b");
  expect(boundaryOf("multipart/form-data")).toBeNull();
});
