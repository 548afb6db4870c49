import { sql } from "drizzle-orm";
import { fileStems } from "#app/domain/media/renditions.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import type { RunOptions } from "#app/domain/media/video/ffmpeg.server.ts";
import type { InspectedVideo } from "#app/domain/media/video/inspect.server.ts";
import { inputArguments, VideoError } from "#app/domain/media/video/probe.server.ts";
import { db } from "#db/client.server.ts";
import { findSource, readablePath } from "../originals/remake-sources.server.ts";
import type { WriteFacts } from "./claims.server.ts";

export interface MadeStep {
  files: MediaFileRow[];
  writeFacts?: WriteFacts;
  /** A plain sentence for each thing of the source that viewers do not get as it is, without its names. */
  warnings?: string[];
}

/** The findings of the first step. */
export interface Source {
  video: InspectedVideo;
  /** Decibels of each of its sounds. */
  gains: number[];
  isOriginal: boolean;
}

export interface Owner {
  mediaId: string;
  version: number;
}

export type StepOptions = Required<Pick<RunOptions, "onProgress">> & { signal: AbortSignal; folder: string };

/** The findings of the first step. Throws a VideoError. */
export async function storedSource(mediaId: string): Promise<Source> {
  const [row] = await db.execute<{ source: Source | null }>(
    sql`SELECT source FROM media_encodings WHERE media_id = ${mediaId}`,
  );
  if (row?.source == null) throw new VideoError("its source was not read yet");
  return row.source;
}

/** A file of a step that is done. Throws a VideoError. */
export async function madeFile(mediaId: string, step: string, name: string) {
  const [row] = await db.execute<{ made: MediaFileRow[] }>(
    sql`SELECT made FROM media_work WHERE media_id = ${mediaId} AND step = ${step} AND state = 'done'`,
  );
  const file = row?.made.find((each) => each.name === name);
  if (file === undefined) throw new VideoError("a file that it is made of is missing");
  return { ...file, hash: file.sha256 };
}

/** The video with what makes ffmpeg read its source. Throws a Refusal. */
export async function readable(mediaId: string, video: InspectedVideo): Promise<InspectedVideo> {
  const path = await readablePath(await findSource({ mediaId, photo: null, group: fileStems.video }));
  return { ...video, input: inputArguments(path, video.container) };
}
