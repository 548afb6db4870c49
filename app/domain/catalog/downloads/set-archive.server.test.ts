import { expect, test } from "vitest";
import type { AccessViewer } from "#app/domain/access/access.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { findMedia } from "../media/media.server.ts";
import { findSetArchive, photosAndArchive } from "./set-archive.server.ts";
import type { ZipLayout } from "./zip-layout.ts";

const visitor: AccessViewer = { isAdult: true, user: null, subscription: null };
const member: AccessViewer = { ...visitor, user: { role: "member" } };
const subscriber: AccessViewer = { ...member, subscription: { state: "running" } };

async function archiveOf(slug: string, viewer: AccessViewer) {
  const found = await findMedia("photoSet", slug, null, photosAndArchive(1, viewer, undefined));
  expect(found?.part.photos).toHaveLength(3);
  return found?.part.archive;
}

function photoBytes({ parts }: ZipLayout): number {
  return parts.reduce((sum, part) => sum + ("entry" in part ? part.bytes : 0), 0);
}

test("a set's page names its archive only to those who may download it", async () => {
  const set = await createPhotoSet({ access: "subscriber", allowDownload: true });
  const sent = await findSetArchive(set.id);
  const facts = { hash: sent?.hash, bytes: sent && photoBytes(sent.layout) };
  expect(await archiveOf(set.slug, subscriber)).toEqual(facts);
  expect(await archiveOf(set.slug, member)).toBeNull();
  expect(await archiveOf(set.slug, visitor)).toBeNull();
});

test("everybody may download a free set, and nobody a set without downloads", async () => {
  const free = await createPhotoSet({ access: "free", allowDownload: true });
  expect(await archiveOf(free.slug, visitor)).toMatchObject({ hash: (await findSetArchive(free.id))?.hash });
  const closed = await createPhotoSet({ access: "free", allowDownload: false });
  expect(await archiveOf(closed.slug, subscriber)).toBeNull();
});
