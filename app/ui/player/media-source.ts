// Needed because browsers' own HLS freezes for good after one failed request: decision 168.
import type Hls from "hls.js";
import { couldNotDecode, positionOf, seek, unload } from "./video-element.ts";
import type { Ladder, Probe, Sound, WayOfPlaying } from "./way-of-playing.ts";

/** Seconds kept loaded before the first play and while playing. */
const AHEAD_SECONDS = { waiting: 1, playing: 40 };
const BEHIND_SECONDS = 60;
const BELIEVED_AFTER_SECONDS = 3;
/** The watchdog tries again, so one more try is enough here. */
const RETRIES = { maxNumRetry: 1, retryDelayMs: 500, maxRetryDelayMs: 500 };
const TIMEOUTS = {
  default: {
    maxTimeToFirstByteMs: 8_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: RETRIES,
    errorRetry: RETRIES,
  },
};

/** Other sizes would be refused as well, which hls.js tries. A file that is missing is one of its size alone. */
const REFUSALS = [401, 403, 429];
const MISSING = 404;

/** A fault nearer than this to the last one is the same. */
const SAME_FAULT_SECONDS = 1;

interface Beginning {
  /** In seconds, as long as the player itself has no position. */
  startAt: number;
  quality: number | null;
  sounds: Sound[];
  /** Its label; null for the default one. */
  sound: string | null;
  savesData: boolean;
  /** The size that is shown from now on. */
  onQuality: (quality: number) => void;
  /** A part of the chosen size is damaged or missing, so the player chooses from now on. */
  onAutomatic: () => void;
  /** Loading has ended for good unless it is begun again. */
  onFailure: () => void;
}

/** The light build is silent with separate sounds. */
export function loadHls(sounds: Sound[]): Promise<{ default: typeof Hls }> {
  return sounds.length > 0 ? import("hls.js") : import("hls.js/light");
}

/** Null where there is no Media Source. */
export async function mediaSource(
  player: HTMLVideoElement,
  { master, rungs }: Ladder,
  { startAt: opening, quality, sounds, sound, savesData, onQuality, onAutomatic, onFailure }: Beginning,
): Promise<WayOfPlaying | null> {
  const { default: HlsPlayer } = await loadHls(sounds);
  if (!HlsPlayer.isSupported()) return null;
  const startAt = positionOf(player, opening);
  const hls: Hls = new HlsPlayer({
    enableWorker: false,
    autoStartLoad: !savesData,
    startPosition: startAt > 0 ? startAt : -1,
    // One small segment tells how fast the network is; otherwise the best size would come first.
    startLevel: -1,
    capLevelToPlayerSize: true,
    // By hls.js's own nine seconds of loading, a network that has recovered is believed only after minutes.
    abrEwmaSlowVoD: BELIEVED_AFTER_SECONDS,
    backBufferLength: BEHIND_SECONDS,
    maxBufferLength: AHEAD_SECONDS.waiting,
    // A size in bytes would let a small quality load ten minutes ahead, which are shown before a better one.
    maxBufferSize: 0,
    manifestLoadPolicy: TIMEOUTS,
    playlistLoadPolicy: TIMEOUTS,
    fragLoadPolicy: TIMEOUTS,
  });
  const { Events, ErrorTypes } = HlsPlayer;
  let isListed = false;
  let probe: Probe = { url: master, range: null };
  let loadedBytes = () => 0;
  let chosenQuality = quality;
  let brokenAt: number | null = null;
  let isBroken = false;
  let waitsForPlay = savesData;
  let shouldPlay = false;

  const levelOf = (wanted: number | null) => hls.levels.findIndex((level) => qualityOf(level) === wanted);
  const choose = (chosen: number | null) => {
    chosenQuality = chosen;
    if (isListed) hls.nextLevel = levelOf(chosen);
  };
  // After a failed request hls.js takes another size, and then chooses by itself.
  const keepChoice = () => {
    if (chosenQuality !== null && hls.autoLevelEnabled) hls.loadLevel = levelOf(chosenQuality);
  };
  // The tracks are there later; hls.js keeps the choice until then.
  const chooseSound = (label: string) => void hls.setAudioOption({ name: label });
  if (sound !== null) chooseSound(sound);
  const position = () => positionOf(player, brokenAt ?? startAt);
  /** Media Source is attached anew, which loses the player's position. */
  const recover = () => {
    const at = position();
    isBroken = false;
    hls.recoverMediaError();
    hls.startLoad(at);
  };
  // Another Media Source pauses the player without an event, and hls.js also takes one by itself.
  hls.on(Events.MEDIA_ATTACHED, () => {
    if (shouldPlay && player.paused) void player.play().catch(() => {});
  });
  hls.on(Events.MANIFEST_PARSED, () => {
    isListed = true;
    if (chosenQuality === null) return;
    const index = levelOf(chosenQuality);
    hls.startLevel = index;
    hls.loadLevel = index;
  });
  hls.on(Events.FRAG_BUFFERED, keepChoice);
  hls.on(Events.FRAG_LOADING, (_, { frag }) => {
    const [start, end] = [frag.byteRangeStartOffset, frag.byteRangeEndOffset];
    // One byte, as the player's ranges are: the slots of a viewer count for those.
    probe = { url: frag.url, range: start === undefined || !end ? null : `bytes=${start}-${start}` };
    loadedBytes = () => frag.stats.loaded;
  });
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => {
    const shown = hls.levels[level];
    if (shown) onQuality(qualityOf(shown));
  });
  hls.on(Events.ERROR, (_, { fatal, type, frag, context, url, response, errorAction }) => {
    const failed = context?.url ?? url;
    if (!frag && failed) probe = { url: failed, range: null };
    const isUnplayable = type === ErrorTypes.MEDIA_ERROR || response?.code === MISSING;
    const leavesSize = fatal || errorAction?.nextAutoLevel !== undefined;
    if (isUnplayable && leavesSize && chosenQuality !== null && hls.autoLevelEnabled) {
      chosenQuality = null;
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
  // Until the metadata is there, the player would report its beginning.
  if (hasPlayed) seek(player, startAt);

  return {
    qualities: rungs.map((rung) => rung.quality),
    chooseQuality: choose,
    sounds,
    chooseSound,
    loadAgain() {
      if (!isListed) return hls.loadSource(master);
      keepChoice();
      // hls.js hears of an error of the decoder only when it has something to append.
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
      // Without hls.js the element would load the page's MP4 again.
      unload(player);
    },
  };
}

function qualityOf({ width, height }: { width: number; height: number }): number {
  return Math.min(width, height);
}
