import { fileStems } from "#app/domain/media/renditions.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import type { RunOptions } from "#app/domain/media/video/ffmpeg.server.ts";
import { type InspectedVideo, inputOf } from "#app/domain/media/video/inspect.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { json, readRow } from "#db/rows.ts";
import { MadeFiles } from "../media/encoding-work.server.ts";
import { findSource, readablePath } from "../originals/remake-sources.server.ts";

export type WriteFacts = (tx: Transaction) => Promise<unknown>;

export interface MadeStep {
  files: MediaFileRow[];
  writeFacts?: WriteFacts;
  warnings?: string[];
}

export interface Source {
  video: InspectedVideo;
  /** Decibels, by audio track. */
  gains: number[];
  isOriginal: boolean;
}

export interface Owner {
  mediaId: string;
  version: number;
}

export type StepOptions = Required<Pick<RunOptions, "onProgress">> & { signal: AbortSignal; folder: string };

export async function storedSource(mediaId: string, executor: Executor = db): Promise<Source> {
  const source = await readRow(executor, json<StoredSource>().nullable())`
    SELECT source FROM media_encodings WHERE media_id = ${mediaId}`;
  if (source === null) throw new VideoError("its source has not been read yet");
  const { sound: audio, sounds: audioTracks, ...video } = source.video;
  return { ...source, video: { ...video, audio, audioTracks } };
}

/** Keys of media_encodings.source, which an encoding that an upgrade interrupts still has. */
type StoredSource = Omit<Source, "video"> & {
  video: Omit<InspectedVideo, "audio" | "audioTracks"> & {
    sound: InspectedVideo["audio"];
    sounds: InspectedVideo["audioTracks"];
  };
};

export function sourceToStore(source: Source): string {
  const { audio: sound, audioTracks: sounds, ...video } = source.video;
  const stored: StoredSource = { ...source, video: { ...video, sound, sounds } };
  return JSON.stringify(stored);
}

export async function madeFile(mediaId: string, step: string, name: string) {
  const made = await readRow(db, MadeFiles)`
    SELECT made FROM media_work WHERE media_id = ${mediaId} AND step = ${step} AND state = 'done'`;
  const file = made?.find((each) => each.name === name);
  if (file === undefined) throw new VideoError("a file that it needs is missing");
  return { ...file, hash: file.sha256 };
}

export async function readable(
  mediaId: string,
  video: InspectedVideo,
  folder: string,
): Promise<InspectedVideo> {
  const path = await readablePath(await findSource({ mediaId, photo: null, group: fileStems.video }), folder);
  return { ...video, input: inputOf(path, video) };
}
