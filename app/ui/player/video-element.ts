export const WANTED = "wanted";

/** The event is for the watchdog: play() of a video that has failed fires none. */
export function wantToPlay(player: HTMLVideoElement): void {
  player.dispatchEvent(new Event(WANTED));
  // Browsers may refuse it, and a failed video does until it is loaded again.
  void player.play().catch(() => {});
}

/** A time of 0 before the metadata would be ignored, and the start time of the page be taken. */
const FIRST_MOMENT = 0.001;

export function seek(player: HTMLVideoElement, seconds: number): void {
  player.currentTime = player.readyState > 0 ? seconds : Math.max(seconds, FIRST_MOMENT);
}

/** `startAt` until the player has a position of its own, by its metadata or a seek. */
export function positionOf({ readyState, currentTime }: HTMLVideoElement, startAt: number): number {
  return readyState > 0 ? currentTime : currentTime || startAt;
}

/** Goes on from the same second, at the same speed, after `change`. */
export function reload(player: HTMLVideoElement, change?: () => void): void {
  const { currentTime, playbackRate, readyState, paused: isPaused } = player;
  change?.();
  player.load();
  player.playbackRate = playbackRate;
  // Kept until the player can seek, and it then overrides the start time in the URL.
  // Another address has no start time, and a time would make a paused player load.
  if (currentTime > 0 || (readyState > 0 && change === undefined)) seek(player, currentTime);
  // play() rejects when yet another source is chosen meanwhile, or when this one fails.
  if (!isPaused) void player.play().catch(() => {});
}

/** Its connection would stay for as long as the browser keeps an element that is on no page any more, and hold a slot. */
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
