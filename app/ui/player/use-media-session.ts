import { type RefObject, useEffect } from "react";
import { positionOf, STEP_SECONDS, seek, wantToPlay } from "./video-element.ts";

interface Session {
  title: string;
  artist: string;
  picture: string;
  startAt: number;
  onNext: (() => void) | null;
}

export function useMediaSession(video: RefObject<HTMLVideoElement>, session: Session): void {
  const { title, artist, picture, startAt, onNext } = session;
  useEffect(() => {
    const player = video.current;
    if (!player || !("mediaSession" in navigator)) return;
    const { mediaSession } = navigator;
    const actions = actionsOf(player, { startAt, onNext });
    // Only with playback, because it would name a video that nobody plays.
    const begin = () => {
      mediaSession.metadata = new MediaMetadata({ title, artist, artwork: [{ src: picture }] });
      for (const [action, handle] of actions) mediaSession.setActionHandler(action, handle);
    };
    if (!player.paused) begin();
    player.addEventListener("play", begin);
    return () => {
      player.removeEventListener("play", begin);
      mediaSession.metadata = null;
      for (const [action] of actions) mediaSession.setActionHandler(action, null);
    };
  }, [video, title, artist, picture, startAt, onNext]);
}

export function actionsOf(
  player: HTMLVideoElement,
  { startAt, onNext }: Pick<Session, "startAt" | "onNext">,
): [MediaSessionAction, MediaSessionActionHandler | null][] {
  const move = (by: number) => () => seek(player, Math.max(0, positionOf(player, startAt) + by));
  return [
    ["play", () => wantToPlay(player)],
    ["pause", () => player.pause()],
    ["seekbackward", move(-STEP_SECONDS.long)],
    ["seekforward", move(STEP_SECONDS.long)],
    ["seekto", ({ seekTime }) => seekTime !== undefined && seek(player, seekTime)],
    ["nexttrack", onNext],
  ];
}
