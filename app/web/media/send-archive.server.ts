import { Readable } from "node:stream";
import type { SetArchive } from "#app/domain/catalog/downloads/set-archive.server.ts";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import type { ByteRange } from "#app/domain/media/storage/storage.ts";
import { contextOf } from "../request/request-context.server.ts";
import type { VideoRefusal } from "../server/sent-videos.server.ts";
import { attachment } from "./attachment.ts";
import { PRIVATE_FILE_HEADERS } from "./deliver.server.ts";
import { archiveRefusal } from "./file-refusals.server.ts";
import { fileStream } from "./file-stream.server.ts";
import { answerRange } from "./range-answer.server.ts";
import type { RunningVideo } from "./running-videos.server.ts";

export interface ArchiveGrant {
  mayHave: (index: number) => Promise<boolean>;
  start: (options: { isResumed: boolean }) => Promise<RunningVideo | VideoRefusal>;
}

/** A program that only reads the directory at the end of a ZIP sends another range. */
const RESUMED_RANGE = /^bytes=[1-9]\d*-$/;

/** Access is checked before each photo. */
export async function sendArchive(
  grant: ArchiveGrant,
  archive: SetArchive,
  request: Request,
): Promise<Response> {
  const { title, hash, layout } = archive;
  const headers = {
    "Content-Type": "application/zip",
    "Content-Disposition": attachment(`${title}.zip`),
    "Accept-Ranges": "bytes",
    ETag: `"${hash}"`,
    ...PRIVATE_FILE_HEADERS,
  };
  const { searchParams } = new URL(request.url);
  const isOld = ![null, hash].includes(searchParams.get("v"));
  // Without If-Range, a program would append this archive's end to another's beginning.
  if (isOld && request.headers.has("range") && !request.headers.has("if-range")) return archiveRefusal(412);
  const answer = answerRange(request, layout.bytes, headers);
  if (answer instanceof Response) return answer;
  if (request.method === "HEAD") return new Response(null, answer.init);
  const isResumed = answer.range !== "whole" && RESUMED_RANGE.test(request.headers.get("range") ?? "");
  const running = await grant.start({ isResumed });
  if ("status" in running) return archiveRefusal(running.status);
  const response = contextOf(request)?.response;
  if (response === undefined) {
    // The client has left.
    void running.end();
    return archiveRefusal(503);
  }
  const sent = endedBeforeLast(archiveBytes(archive, answer.bytes, grant.mayHave), () => running.end());
  const source = Readable.from(sent, { objectMode: true, highWaterMark: 1 });
  return new Response(
    fileStream({ source, response, mayContinue: () => running.keepSlot(), onEnd: () => void running.end() }),
    answer.init,
  );
}

async function* archiveBytes(
  { layout, files }: SetArchive,
  { start, end }: ByteRange,
  mayHave: ArchiveGrant["mayHave"],
): AsyncGenerator<Uint8Array> {
  for (const part of layout.parts) {
    const from = Math.max(start - part.start, 0);
    const to = Math.min(end - part.start, part.bytes - 1);
    if (from > to) continue;
    if ("data" in part) {
      yield part.data().subarray(from, to + 1);
      continue;
    }
    const file = files[part.entry];
    if (file === undefined || !(await mayHave(part.entry))) throw new Error("The access has ended");
    let left = to - from + 1;
    for await (const chunk of await storageOf(file.storage).open(file.storageKey, { start: from, end: to })) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw new Error("A photo is shorter than its row says");
  }
}

/** A client with the last byte may start another download at once. */
async function* endedBeforeLast(
  chunks: AsyncGenerator<Uint8Array>,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    if (last !== undefined) yield last;
    last = chunk;
  }
  await end();
  if (last !== undefined) yield last;
}
