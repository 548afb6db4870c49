import { mp4Output, type PlayableFile, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";
import { rateLimit } from "./transcode.server.ts";

const HOVER = { width: 320, moments: 6, seconds: 3, rate: 16, bits: 480_000 };

/** A few short moments without audio. A very short video is shown whole. */
export async function makeHoverPreview(
  target: string,
  video: PlayableFile,
  { signal }: RunOptions,
): Promise<void> {
  const { seconds } = video;
  const length = HOVER.seconds / HOVER.moments;
  const isShort = seconds <= HOVER.seconds;
  const starts = isShort
    ? [0]
    : Array.from(
        { length: HOVER.moments },
        (_, index) => ((index + 0.5) / HOVER.moments) * seconds - length / 2,
      );
  const inputs = starts.flatMap((start) => [
    ...["-ss", start.toFixed(3), "-t", String(isShort ? HOVER.seconds : length)],
    ...inputArguments(video.path),
  ]);
  const pictures = HOVER.rate * length;
  // ffmpeg may read a picture more or less than asked, or seconds more where pictures are rare.
  const cut = isShort ? "" : `:start_time=0,tpad=stop_mode=clone:stop=${pictures},trim=end_frame=${pictures}`;
  const parts = starts.map(
    (_, index) => `[${index}:v]scale=${HOVER.width}:-2,fps=${HOVER.rate}${cut},setsar=1[v${index}]`,
  );
  const joined = `${starts.map((_, index) => `[v${index}]`).join("")}concat=n=${starts.length}[v]`;
  const codecs = [
    ...["-map", "[v]", "-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-pix_fmt", "yuv420p"],
    ...[...rateLimit(HOVER.bits, 0.5), "-map_metadata", "-1"],
  ];
  await runFfmpeg(
    [...inputs, "-filter_complex", [...parts, joined].join(";"), ...codecs, ...mp4Output(target)],
    seconds,
    { signal },
  );
}
