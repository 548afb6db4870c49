import { expect, test } from "vitest";
import type { OwnUpload } from "#app/domain/uploads/own-batches.server.ts";
import type { SendingState, SentFile } from "./sending.ts";
import { progressOf } from "./upload-groups.ts";

const upload = (path: string): OwnUpload => ({
  ...{ id: path, path, bytes: 100, receivedBytes: 0, fingerprint: "" },
  ...{ state: "uploading", note: null, mediaId: null },
});
const uploads = ["Set/1.jpg", "Set/2.jpg", "Set/notes.pdf"].map(upload);
const sent = (path: string, state: SendingState, sentBytes: number): [string, SentFile] => [
  path,
  {
    ...{ id: path, name: path, bytes: 100, sentBytes, state, isRefused: false },
    sentence: state === "failed" ? "No picture." : "",
  },
];

test("a failed file is named, and does not count in the progress of its folder", () => {
  const files = new Map([
    sent("Set/1.jpg", "sending", 50),
    sent("Set/2.jpg", "queued", 0),
    sent("Set/notes.pdf", "failed", 0),
  ]);
  const progress = progressOf(uploads, { files, bytesPerSecond: 10 });
  expect(progress).toMatchObject({ state: "sending", secondsLeft: 15, sentBytes: 50 });
  expect(progress.failed.map(({ name, sentence }) => [name, sentence])).toEqual([
    ["Set/notes.pdf", "No picture."],
  ]);
});

test("a folder has failed when only failed files are left", () => {
  const files = new Map([
    sent("Set/1.jpg", "sent", 100),
    sent("Set/2.jpg", "sent", 100),
    sent("Set/notes.pdf", "failed", 0),
  ]);
  expect(progressOf(uploads, { files, bytesPerSecond: 0 })).toMatchObject({
    state: "failed",
    sentBytes: 200,
  });
});
