// Needed because browsers' own HLS freezes for good after one failed request: decision 168.
import type Hls from "hls.js";
import { couldNotDecode, play, positionOf, seek, unload } from "./video-element.ts";
import type { AudioTrack, Ladder, Probe, WayOfPlaying } from "./way-of-playing.ts";

const AHEAD_SECONDS = { waiting: 1, playing: 40 };
const BEHIND_SECONDS = 60;
const BELIEVED_AFTER_SECONDS = 3;
/** The watchdog tries again, so one retry is enough here. */
const RETRIES = { maxNumRetry: 1, retryDelayMs: 500, maxRetryDelayMs: 500 };
const TIMEOUTS = {
  default: {
    maxTimeToFirstByteMs: 8_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: RETRIES,
    errorRetry: RETRIES,
  },
};

/** These refuse other sizes, too, which hls.js would try. A missing file concerns one size. */
const REFUSALS = [401, 403, 429];
const MISSING = 404;

const SAME_FAULT_SECONDS = 1;

interface Beginning {
  /** In seconds, until the player has a position. */
  startAt: number;
  size: number | null;
  audioTracks: AudioTrack[];
  audio: string | null;
  savesData: boolean;
  onSize: (size: number) => void;
  /** A damaged or missing part of the chosen size has made the player choose. */
  onAutomatic: () => void;
  onFailure: () => void;
}

/** The light build cannot play separate audio tracks. */
export function loadHls(audioTracks: AudioTrack[]): Promise<{ default: typeof Hls }> {
  return audioTracks.length > 0 ? import("hls.js") : import("hls.js/light");
}

export async function mediaSource(
  player: HTMLVideoElement,
  { master, rungs }: Ladder,
  { startAt: opening, size, audioTracks, audio, savesData, onSize, onAutomatic, onFailure }: Beginning,
): Promise<WayOfPlaying | null> {
  const { default: HlsPlayer } = await loadHls(audioTracks);
  if (!HlsPlayer.isSupported()) return null;
  const startAt = positionOf(player, opening);
  const hls: Hls = new HlsPlayer({
    enableWorker: false,
    autoStartLoad: !savesData,
    startPosition: startAt > 0 ? startAt : -1,
    // A small segment first measures the network; otherwise the largest size would come first.
    startLevel: -1,
    capLevelToPlayerSize: true,
    // With hls.js's own nine seconds, it would take minutes to believe that a network has recovered.
    abrEwmaSlowVoD: BELIEVED_AFTER_SECONDS,
    backBufferLength: BEHIND_SECONDS,
    maxBufferLength: AHEAD_SECONDS.waiting,
    // With a limit in bytes, ten minutes of a small size would be loaded, and shown before a larger one.
    maxBufferSize: 0,
    manifestLoadPolicy: TIMEOUTS,
    playlistLoadPolicy: TIMEOUTS,
    fragLoadPolicy: TIMEOUTS,
  });
  const { Events, ErrorTypes } = HlsPlayer;
  let isListed = false;
  let probe: Probe = { url: master, range: null };
  let loadedBytes = () => 0;
  let chosenSize = size;
  let brokenAt: number | null = null;
  let isBroken = false;
  let waitsForPlay = savesData;
  let shouldPlay = false;

  const levelOf = (wanted: number | null) => hls.levels.findIndex((level) => sizeOf(level) === wanted);
  const choose = (chosen: number | null) => {
    chosenSize = chosen;
    if (isListed) hls.nextLevel = levelOf(chosen);
  };
  // After a failed request hls.js switches to another size and to its own choice.
  const keepChoice = () => {
    if (chosenSize !== null && hls.autoLevelEnabled) hls.loadLevel = levelOf(chosenSize);
  };
  // hls.js keeps the choice until the tracks are known.
  const chooseAudio = (label: string) => void hls.setAudioOption({ name: label });
  if (audio !== null) chooseAudio(audio);
  const position = () => positionOf(player, brokenAt ?? startAt);
  /** Attaching Media Source again loses the player's position. */
  const recover = () => {
    const at = position();
    isBroken = false;
    hls.recoverMediaError();
    hls.startLoad(at);
  };
  // Attaching Media Source pauses the player without an event, and hls.js also does it by itself.
  hls.on(Events.MEDIA_ATTACHED, () => {
    if (shouldPlay && player.paused) play(player);
  });
  hls.on(Events.MANIFEST_PARSED, () => {
    isListed = true;
    if (chosenSize === null) return;
    const index = levelOf(chosenSize);
    hls.startLevel = index;
    hls.loadLevel = index;
  });
  hls.on(Events.FRAG_BUFFERED, keepChoice);
  hls.on(Events.FRAG_LOADING, (_, { frag }) => {
    const [start, end] = [frag.byteRangeStartOffset, frag.byteRangeEndOffset];
    // A range of one byte takes a slot, as the player's ranges do.
    probe = { url: frag.url, range: start === undefined || !end ? null : `bytes=${start}-${start}` };
    loadedBytes = () => frag.stats.loaded;
  });
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => {
    const shown = hls.levels[level];
    if (shown) onSize(sizeOf(shown));
  });
  hls.on(Events.ERROR, (_, { fatal, type, frag, context, url, response, errorAction }) => {
    const failed = context?.url ?? url;
    if (!frag && failed) probe = { url: failed, range: null };
    const isUnplayable = type === ErrorTypes.MEDIA_ERROR || response?.code === MISSING;
    const leavesSize = fatal || errorAction?.nextAutoLevel !== undefined;
    if (isUnplayable && leavesSize && chosenSize !== null && hls.autoLevelEnabled) {
      chosenSize = null;
      onAutomatic();
    }
    if (response?.code !== undefined && REFUSALS.includes(response.code)) {
      hls.stopLoad();
      return onFailure();
    }
    if (!fatal) return;
    const at = position();
    isBroken = type === ErrorTypes.MEDIA_ERROR;
    if (!isBroken || (brokenAt !== null && Math.abs(at - brokenAt) < SAME_FAULT_SECONDS)) return onFailure();
    brokenAt = at;
    recover();
  });

  const start = () => {
    shouldPlay = true;
    hls.config.maxBufferLength = AHEAD_SECONDS.playing;
    if (waitsForPlay) hls.startLoad(position());
    waitsForPlay = false;
  };
  const stop = () => {
    shouldPlay = false;
  };
  player.addEventListener("play", start);
  player.addEventListener("pause", stop);
  const [wasPlaying, hasPlayed] = [!player.paused, player.played.length > 0];
  if (wasPlaying) start();
  hls.loadSource(master);
  hls.attachMedia(player);
  // Before the metadata, the player would report the beginning.
  if (hasPlayed) seek(player, startAt);

  return {
    sizes: rungs.map((rung) => rung.size),
    chooseSize: choose,
    audioTracks,
    chooseAudio,
    loadAgain() {
      if (!isListed) return hls.loadSource(master);
      keepChoice();
      // hls.js notices a decoder's error only when it appends something.
      if (isBroken || player.error !== null) recover();
      else hls.startLoad(position());
    },
    stopLoading: () => hls.stopLoad(),
    loadedBytes: () => loadedBytes(),
    probe: () => probe,
    isDamaged: () => isBroken || couldNotDecode(player),
    end() {
      player.removeEventListener("play", start);
      player.removeEventListener("pause", stop);
      hls.destroy();
      // The element alone would load the page's MP4 again.
      unload(player);
    },
  };
}

function sizeOf({ width, height }: { width: number; height: number }): number {
  return Math.min(width, height);
}
