import { expect, test } from "vitest";
import { masterPlaylist } from "./playlist.ts";

const SIZE = { url: "/r.m3u8", width: 640, height: 360, bandwidth: 900_000 };

test("the master names one audio track within its sizes, and several beside them, the first as the default", () => {
  const muxed = masterPlaylist([{ ...SIZE, codecs: "avc1.64001f,mp4a.40.2" }]);
  expect(muxed.split("\n").slice(3)).toEqual([
    '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001f,mp4a.40.2",CLOSED-CAPTIONS=NONE',
    ...["/r.m3u8", ""],
  ]);
  const audio = { language: "de", label: 'Der "Film"\n#EXT', bandwidth: 100, codecs: "mp4a.40.2" };
  const separate = masterPlaylist(
    [{ ...SIZE, codecs: "avc1.64001f" }],
    [
      { ...audio, url: "/1.m3u8" },
      { ...audio, url: "/2.m3u8", language: "und", label: "Audio" },
    ],
  );
  const group = 'TYPE=AUDIO,GROUP-ID="audio"';
  expect(separate.split("\n").slice(3)).toEqual([
    `#EXT-X-MEDIA:${group},NAME="Der Film #EXT",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,URI="/1.m3u8"`,
    `#EXT-X-MEDIA:${group},NAME="Audio",DEFAULT=NO,AUTOSELECT=YES,URI="/2.m3u8"`,
    '#EXT-X-STREAM-INF:BANDWIDTH=900100,RESOLUTION=640x360,CODECS="avc1.64001f,mp4a.40.2",AUDIO="audio",CLOSED-CAPTIONS=NONE',
    ...["/r.m3u8", ""],
  ]);
});
