import { expect, test } from "vitest";
import { fileNames } from "#app/domain/media/renditions.ts";
import { PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import { db } from "#db/client.server.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { createEncoded, createVideo } from "#tests/support/media.ts";
import { decideMaster } from "./master-playlist.server.ts";

const ADULT = { isAdult: true, user: null, subscription: null, session: null };

async function named(mediaId: string, query: string): Promise<string[] | number> {
  const request = { mediaId, query: new URLSearchParams(query) };
  const decision = await decideMaster(ADULT, request, async () => false);
  return decision.status === 200
    ? [...decision.playlist.matchAll(/rung-\d+\.m3u8/g)].map(([name]) => name)
    : decision.status;
}

test("the playlist names only the requested size", async () => {
  const { id } = await createVideo({ access: "free", withFiles: true });
  const version = await createEncoded(id);
  const name = fileNames.rungPlaylist(720);
  const size = { width: 1280, height: 720, bandwidth: 3_000_000, codecs: "avc1.64001f,mp4a.40.2" };
  const stored = {
    storageKey: `media/${id}/${version}/${name}`,
    bytes: 1,
    sha256: "",
    crc32: 0,
    needs: "view" as const,
  };
  await db
    .insert(mediaFiles)
    .values({ mediaId: id, version, name, contentType: PLAYLIST_TYPE, ...size, ...stored });
  expect(await named(id, "")).toEqual(["rung-720.m3u8", "rung-360.m3u8"]);
  expect(await named(id, "h=720")).toEqual(["rung-720.m3u8"]);
  expect(await named(id, "audio=de&h=360")).toEqual(["rung-360.m3u8"]);
  for (const query of ["h=480", "h=x", "h=-720", "h="]) expect(await named(id, query), query).toBe(404);
});
