export interface Sprite {
  fromSeconds: number;
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const CUE = /(?:(\d+):)?(\d\d):(\d\d\.\d+) --> [^\n]*\n(\S+?)#xywh=(\d+),(\d+),(\d+),(\d+)/g;

/** `address`: of the WebVTT, in whose folder the sheets are. */
export function spritesIn(vtt: string, address: string): Sprite[] {
  const base = address.slice(0, address.lastIndexOf("/") + 1);
  return [...vtt.matchAll(CUE)].map(([, hours = "0", minutes, seconds, name, ...box]) => {
    const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
    const fromSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return { fromSeconds, url: base + name, x, y, width, height };
  });
}

export function spriteAt(sprites: readonly Sprite[], seconds: number): Sprite | null {
  return sprites.findLast(({ fromSeconds }) => fromSeconds <= seconds) ?? null;
}
