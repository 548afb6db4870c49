import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  admitVideo,
  MAX_SIGNED_OUT_VIDEOS,
  MAX_VIDEOS,
  type SendingVideo,
  type VideoToSend,
} from "./sent-videos.server.ts";

const STALLED_MS = 16_000;
const admitted: SendingVideo[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  for (const { end } of admitted.splice(0)) end();
  vi.useRealTimers();
});

type Given = Pick<VideoToSend, "isSignedIn"> & Partial<VideoToSend>;

function admit(given: Given, close = () => {}): SendingVideo | null {
  const video = admitVideo({
    holderId: String(admitted.length),
    maxOfForm: 6,
    form: "playback",
    close,
    ...given,
  });
  if ("status" in video) return null;
  admitted.push(video);
  return video;
}

test("a process limits concurrent videos and reserves some for members", () => {
  const signedOut = Array.from({ length: MAX_SIGNED_OUT_VIDEOS }, () => admit({ isSignedIn: false }));
  expect(signedOut).not.toContain(null);
  expect(admit({ isSignedIn: false })).toBeNull();
  const members = Array.from({ length: MAX_VIDEOS - MAX_SIGNED_OUT_VIDEOS }, () =>
    admit({ isSignedIn: true }),
  );
  expect(members).not.toContain(null);
  expect(admit({ isSignedIn: true })).toBeNull();

  // Ending a video twice frees only one.
  signedOut[0]?.end();
  signedOut[0]?.end();
  expect(admit({ isSignedIn: true })).not.toBeNull();
  expect(admit({ isSignedIn: true })).toBeNull();
});

test("stalled videos do not keep members out, and visitors do not close a member's video", () => {
  const closed: string[] = [];
  for (let index = 0; index < MAX_VIDEOS - MAX_SIGNED_OUT_VIDEOS; index += 1)
    admit({ isSignedIn: true }, () => closed.push("of a member"));
  const running = admit({ isSignedIn: false }, () => closed.push("running"));
  for (let index = 1; index < MAX_SIGNED_OUT_VIDEOS; index += 1)
    admit({ isSignedIn: false }, () => closed.push("of a visitor"));
  vi.advanceTimersByTime(STALLED_MS);
  running?.renew();
  expect(admit({ isSignedIn: false })).not.toBeNull();
  expect(closed).toEqual(["of a visitor"]);
  expect(admit({ isSignedIn: true })).not.toBeNull();
  expect(closed).toEqual(["of a visitor", "of a member"]);
});

test("once all slots have open files, a viewer's new video closes their own longest stalled one", () => {
  const viewer = { holderId: "a", maxOfForm: 2, isSignedIn: true };
  const closed: string[] = [];
  const open = (name: string) => {
    const video = admit(viewer, () => {
      closed.push(name);
      video?.end();
    });
    vi.advanceTimersByTime(10);
    return video;
  };
  const first = open("first");
  open("second");
  first?.renew();
  admit({ ...viewer, holderId: "b" }, () => closed.push("of another"));
  expect(closed).toEqual([]);
  open("third");
  expect(closed).toEqual(["second"]);
  first?.end();
  open("fourth");
  expect(closed).toEqual(["second"]);
});

test("a viewer's downloads and parts have their own limits, and no other video ends them", () => {
  const viewer = { holderId: "a", maxOfForm: 2, isSignedIn: true };
  const closed: string[] = [];
  const open = (form: VideoToSend["form"]) => admit({ ...viewer, form }, () => closed.push(form));
  expect([open("download"), open("download"), open("part"), open("part")]).not.toContain(null);
  vi.advanceTimersByTime(STALLED_MS);
  expect(admitVideo({ ...viewer, form: "download", close: () => {} })).toEqual({ status: 429 });
  expect(admitVideo({ ...viewer, form: "part", close: () => {} })).toEqual({ status: 429 });
  expect([open("playback"), open("playback"), open("playback")]).not.toContain(null);
  expect(closed).toEqual(["playback"]);
});
