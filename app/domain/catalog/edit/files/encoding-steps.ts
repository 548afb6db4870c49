import { fileStems } from "#app/domain/media/renditions.ts";
import { planLadder } from "#app/domain/media/video/ladder.ts";
import { planVideos } from "#app/domain/media/video/renditions-plan.ts";

export interface PlannedStep {
  step: string;
  /** Steps that have to be done before it. */
  after: string[];
  /** Its files replace those of the group when all steps of the group are done; null for one without files. */
  fileGroup: string | null;
}

/** The first step reads the source as a whole, so that no other has to. */
export const SOURCE_STEP = "source";

/**
 * Everything that is made of a video of this size, in this order. Without an original the stored MP4s stay: what is made of
 * the largest of them would be no better.
 */
export function planSteps(
  { sounds = 1, ...size }: { width: number; height: number; sounds?: number },
  isOriginal: boolean,
): PlannedStep[] {
  const rungs = planLadder(size).map(({ quality }) => rungStep(quality));
  const separate = sounds > 1 ? Array.from({ length: sounds }, (_, at) => soundStep(at + 1)) : [];
  const videos = isOriginal
    ? planVideos({ ...size, isPlayable: false }).map(({ width, height }) => Math.min(width, height))
    : [];
  const pictures = [fileStems.candidate, fileStems.sprite, fileStems.hover];
  return [
    { step: SOURCE_STEP, after: [], fileGroup: null },
    ...rungs.map((step) => ({ step, after: [SOURCE_STEP], fileGroup: fileStems.rung })),
    ...separate.map((step) => ({ step, after: rungs.slice(-1), fileGroup: fileStems.rung })),
    ...videos.map((quality) => ({
      step: `${fileStems.video}-${quality}`,
      after: [...rungs, ...separate.slice(0, 1)],
      fileGroup: fileStems.video,
    })),
    ...pictures.map((step) => ({ step, after: rungs, fileGroup: step })),
  ];
}

export function rungStep(quality: number): string {
  return `${fileStems.rung}-${quality}`;
}

/** From 1, the default one first. Only of a video with several. */
export function soundStep(number: number): string {
  return `${fileStems.sound}-${number}`;
}

/** The shorter side in "rung-720" or "video-720", the number in "sound-2"; null for another step. */
export function numberIn(step: string, stem: string): number | null {
  const [, number] = new RegExp(`^${stem}-(\\d+)$`).exec(step) ?? [];
  return number === undefined ? null : Number(number);
}
