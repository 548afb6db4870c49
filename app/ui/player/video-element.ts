export const WANTED = "wanted";

/** For the watchdog: play() of a failed video fires no event. */
export function wantToPlay(player: HTMLVideoElement): void {
  player.dispatchEvent(new Event(WANTED));
  // Browsers may refuse; a failed video always does.
  void player.play().catch(() => {});
}

/** Before the metadata, browsers ignore 0 and use the address's start time. */
const FIRST_MOMENT = 0.001;

export function seek(player: HTMLVideoElement, seconds: number): void {
  player.currentTime = player.readyState > 0 ? seconds : Math.max(seconds, FIRST_MOMENT);
}

/** `startAt` until metadata or a seek sets a position. */
export function positionOf({ readyState, currentTime }: HTMLVideoElement, startAt: number): number {
  return readyState > 0 ? currentTime : currentTime || startAt;
}

export function reload(player: HTMLVideoElement, change?: () => void): void {
  const { currentTime, playbackRate, readyState, paused: isPaused } = player;
  change?.();
  player.load();
  player.playbackRate = playbackRate;
  // Overrides the start time in the URL. A new URL has none, and a position would make a paused player load.
  if (currentTime > 0 || (readyState > 0 && change === undefined)) seek(player, currentTime);
  // play() rejects when the source changes again or fails.
  if (!isPaused) void player.play().catch(() => {});
}

/** The browser would keep a removed element's connection, and with it a slot. */
export function unload(player: HTMLVideoElement): void {
  player.preload = "none";
  player.removeAttribute("src");
  player.load();
}

export function hasFailed(player: HTMLVideoElement): boolean {
  return player.error !== null || player.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
}

export function couldNotDecode({ error }: HTMLVideoElement): boolean {
  return error?.code === MediaError.MEDIA_ERR_DECODE;
}
