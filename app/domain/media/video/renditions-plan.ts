export interface PlannedVideo {
  width: number;
  height: number;
  isCopy: boolean;
}

/** The shorter side, as in "720p". */
const RUNGS = [1080, 720, 360];

/** Best first. Never larger than the original; a playable original up to 1080p is kept as it is. */
export function planVideos({
  width,
  height,
  isPlayable,
}: {
  width: number;
  height: number;
  isPlayable: boolean;
}) {
  const short = Math.min(width, height);
  const rungs = RUNGS.filter((rung) => rung <= short);
  const isKept = isPlayable && short <= Math.max(...RUNGS);
  const encoded = (rung: number): PlannedVideo => ({ ...scaled(width, height, rung / short), isCopy: false });
  if (isKept) return [{ width, height, isCopy: true }, ...rungs.filter((rung) => rung < short).map(encoded)];
  return (rungs.length > 0 ? rungs : [short]).map(encoded);
}

function scaled(width: number, height: number, factor: number) {
  const even = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: even(width), height: even(height) };
}
