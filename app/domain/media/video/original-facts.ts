import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { rotationOf } from "./picture-facts.ts";

/** Kept findings name no person and no place. */
export function originalFacts(video: InspectedVideo): OriginalProbe {
  const { container, tracks, width, height, seconds } = video;
  const [picture, audio] = [video.picture, video.audio].map((index) =>
    tracks.find((track) => track.index === index),
  );
  return {
    kind: "video",
    container,
    codec: picture?.codec_name ?? "unknown",
    pixelFormat: picture?.pix_fmt ?? null,
    ...{ width, height, seconds },
    rotation: picture === undefined ? 0 : rotationOf(picture),
    sound: audio?.codec_name ?? null,
  };
}
