const SRT_TIME = /(\d{1,2}:\d{2}:\d{2}),(\d{3})/g;
const CUE_TIME =
  /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t].*)?$/;

/** WebVTT from WebVTT or SubRip. Throws an Error with one plain reason. */
export function toWebVtt(text: string, isSubRip: boolean): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const vtt = isSubRip ? `WEBVTT\n\n${lines.replace(SRT_TIME, padHours)}` : lines;
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(vtt)) throw new Error("captions must begin with WEBVTT");
  assertCues(vtt);
  return `${vtt}\n`;
}

function padHours(_: string, time: string, milliseconds: string): string {
  return `${time.padStart(8, "0")}.${milliseconds}`;
}

function assertCues(vtt: string): void {
  const times = vtt.split("\n").filter((line) => line.includes("-->"));
  if (times.length === 0) throw new Error("captions hold no cue");
  for (const time of times) {
    const match = CUE_TIME.exec(time.trim());
    if (!match) throw new Error(`captions hold an unreadable time: ${time.trim().slice(0, 60)}`);
    const [start, end] = [seconds(match.slice(1, 5)), seconds(match.slice(5, 9))];
    if (end <= start) throw new Error(`a caption ends before it begins: ${time.trim().slice(0, 60)}`);
  }
}

function seconds([hours = "0", minutes, rest, milliseconds]: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${rest}.${milliseconds}`);
}
