import { type RefObject, useEffect } from "react";
import { wantToPlay } from "./way-of-playing.ts";

const STEP_SECONDS = 10;

interface Session {
  title: string;
  artist: string;
  picture: string;
  onNext: (() => void) | null;
}

/** Title and buttons on the lock screen and on keyboards. */
export function useMediaSession(video: RefObject<HTMLVideoElement>, session: Session): void {
  const { title, artist, picture, onNext } = session;
  useEffect(() => {
    const player = video.current;
    if (!player || !("mediaSession" in navigator)) return;
    const { mediaSession } = navigator;
    const move = (by: number) => () => {
      player.currentTime = Math.max(0, player.currentTime + by);
    };
    const actions: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ["play", () => wantToPlay(player)],
      ["pause", () => player.pause()],
      ["seekbackward", move(-STEP_SECONDS)],
      ["seekforward", move(STEP_SECONDS)],
      [
        "seekto",
        ({ seekTime }) => {
          player.currentTime = seekTime ?? player.currentTime;
        },
      ],
      ["nexttrack", onNext],
    ];
    // It would name a video that nobody plays.
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
  }, [video, title, artist, picture, onNext]);
}
