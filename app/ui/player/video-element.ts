export const WANTED = "wanted";

/** Also tells the watchdog, because play() of a failed video fires no event. */
export function wantToPlay(player: HTMLVideoElement): void {
  player.dispatchEvent(new Event(WANTED));
  play(player);
}

/** Browsers may refuse, and reject when the source changes or fails. The viewer can press play. */
export function play(player: HTMLVideoElement): void {
  void player.play().catch(() => {});
}

/** For keys, the timeline and the lock screen. */
export const STEP_SECONDS = { short: 5, long: 10 };

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
  // Overrides the start time in the URL. A changed URL has none, and with a position a paused player would load.
  if (currentTime > 0 || (readyState > 0 && change === undefined)) seek(player, currentTime);
  if (!isPaused) play(player);
}

/** Otherwise the browser would keep a removed element's connection, and with it a slot. */
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
