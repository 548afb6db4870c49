import { fileStems, sizeOf } from "#app/domain/media/renditions.ts";
import { isFirstSize, planLadder } from "#app/domain/media/video/ladder.ts";
import { LARGEST_DOWNLOAD, planVideos } from "#app/domain/media/video/renditions-plan.ts";

export interface PlannedStep {
  step: string;
  after: string[];
  /** Its files replace the group's files when all steps of the group are done. */
  fileGroup: string | null;
}

/** The first step reads the whole source, so that no other has to. */
export const SOURCE_STEP = "source";

/**
 * In the order in which they run. A step waits only for the files that it reads, so a failed size fails only what is made from it.
 * Without an original, the stored MP4s stay, because new ones would be no better.
 */
export function planSteps(
  { audioTracks = 1, ...size }: { width: number; height: number; audioTracks?: number },
  isOriginal: boolean,
): PlannedStep[] {
  const ladder = planLadder(size);
  const rungs = ladder.map(({ size }) => rungStep(size));
  const smallest = rungs.slice(-1);
  const separate = audioTracks > 1 ? Array.from({ length: audioTracks }, (_, at) => audioStep(at + 1)) : [];
  const videos = isOriginal ? planVideos({ ...size, isPlayable: false }).map(sizeOf) : [];
  const coverRung = candidateRung(ladder);
  const ofLadder = (step: string, after: string[]) => ({ step, after, fileGroup: fileStems.rung });
  return [
    { step: SOURCE_STEP, after: [], fileGroup: null },
    ...rungs.filter(isFirstPass).map((step) => ofLadder(step, [SOURCE_STEP])),
    ...separate.map((step) => ofLadder(step, smallest)),
    ...rungs.filter((step) => !isFirstPass(step)).map((step) => ofLadder(step, [SOURCE_STEP])),
    ...videos.map((size) => ({
      step: videoStep(size),
      after: [rungStep(size), ...separate.slice(0, 1)],
      fileGroup: fileStems.video,
    })),
    {
      step: fileStems.candidate,
      after: coverRung === undefined ? [] : [rungStep(coverRung.size)],
      fileGroup: fileStems.candidate,
    },
    ...[fileStems.sprite, fileStems.hover].map((step) => ({ step, after: smallest, fileGroup: step })),
  ];
}

/** Pictures for a cover need no larger size. */
export function candidateRung<Rung extends { size: number }>(ladder: readonly Rung[]): Rung | undefined {
  return ladder.find(({ size }) => size <= LARGEST_DOWNLOAD);
}

/** For a step of the ladder. The first pass makes the audio, too. */
export function isFirstPass(step: string): boolean {
  return isFirstSize(numberIn(step, fileStems.rung) ?? 0);
}

export function rungStep(size: number): string {
  return `${fileStems.rung}-${size}`;
}

function videoStep(size: number): string {
  return `${fileStems.video}-${size}`;
}

/** From 1, the default track first. Only for a video with several. */
export function audioStep(number: number): string {
  return `${fileStems.audio}-${number}`;
}

/** The shorter side in "rung-720" or "video-720", the audio track in "sound-2". */
export function numberIn(step: string, stem: string): number | null {
  const [, number] = new RegExp(`^${stem}-(\\d+)$`).exec(step) ?? [];
  return number === undefined ? null : Number(number);
}
