// Needed because Remix's own parser refuses file names with ";" or "=", and the platform's holds all files in memory.

export class MultipartError extends Error {}

interface PartHead {
  name: string;
  fileName: string | null;
}

interface PartSink {
  write(bytes: Buffer): Promise<void> | void;
  end(): Promise<void> | void;
}

const MAX_HEAD_BYTES = 8 * 1024;
const HEAD_END = "\r\n\r\n";
/** Browsers write a quote in a name as %22: https://html.spec.whatwg.org/#multipart-form-data */
const DISPOSITION = /^content-disposition: *form-data; *name="([^"]*)"(?:; *filename="([^"]*)")?/im;

export function boundaryOf(contentType: string): string | null {
  return /^multipart\/form-data;.*\bboundary="?([\w'()+,./:=? -]{1,70})"?$/i.exec(contentType)?.[1] ?? null;
}

/** Throws a MultipartError when the body is malformed or cut off. */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  open: (head: PartHead) => PartSink,
): Promise<void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let waiting = Buffer.from("\r\n");
  let state: "part" | "delimiter" | "head" | "over" = "part";
  let sink: PartSink = { write() {}, end() {} };
  for await (const bytes of body) {
    if (state === "over") continue;
    waiting = Buffer.concat([waiting, bytes]);
    for (let goesOn = true; goesOn; ) {
      if (state === "part") {
        const at = waiting.indexOf(delimiter);
        const end = at < 0 ? Math.max(0, waiting.length - delimiter.length) : at;
        await sink.write(waiting.subarray(0, end));
        waiting = waiting.subarray(at < 0 ? end : end + delimiter.length);
        goesOn = at >= 0;
        if (goesOn) {
          await sink.end();
          state = "delimiter";
        }
      } else if (state === "delimiter") {
        goesOn = waiting.length >= 2;
        if (!goesOn) continue;
        const mark = waiting.toString("latin1", 0, 2);
        if (mark !== "--" && mark !== "\r\n") throw new MultipartError("no line after a boundary");
        state = mark === "--" ? "over" : "head";
        goesOn = state === "head";
        waiting = waiting.subarray(2);
      } else {
        const end = waiting.indexOf(HEAD_END);
        if (end < 0 && waiting.length > MAX_HEAD_BYTES) throw new MultipartError("a head without end");
        goesOn = end >= 0;
        if (!goesOn) continue;
        sink = open(headOf(waiting.toString("utf8", 0, end)));
        waiting = waiting.subarray(end + HEAD_END.length);
        state = "part";
      }
    }
  }
  if (state !== "over") throw new MultipartError("it ends too early");
}

function headOf(text: string): PartHead {
  const found = DISPOSITION.exec(text);
  if (!found) throw new MultipartError("a part without a name");
  const unquoted = (name: string) => name.replace(/%22/g, '"').replace(/%0[DA]/gi, " ");
  const [, name = "", fileName] = found;
  return { name: unquoted(name), fileName: fileName === undefined ? null : unquoted(fileName) };
}
