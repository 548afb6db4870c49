/** A video element as browsers have it: before the metadata, a time of 0 is none. */
export function standInPlayer({ readyState, currentTime }: { readyState: number; currentTime: number }) {
  const calls: string[] = [];
  const player = {
    ...{ readyState, currentTime, playbackRate: 1.5, paused: false, src: "" },
    hasAttribute: () => player.src !== "",
    load() {
      calls.push("load");
      Object.assign(player, { readyState: 0, currentTime: 0, playbackRate: 1 });
    },
    play: () => Promise.resolve(void calls.push("play")),
  };
  return { player: player as unknown as HTMLVideoElement, calls };
}
