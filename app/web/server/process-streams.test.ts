import { expect, test } from "vitest";
import { countStream, MAX_SIGNED_OUT_STREAMS, MAX_STREAMS, trackStream } from "./process-streams.server.ts";

test("a process limits concurrent videos, and visitors without an account cannot use all slots", () => {
  const signedOut = Array.from({ length: MAX_SIGNED_OUT_STREAMS }, () => countStream({ isSignedIn: false }));
  expect(signedOut).not.toContain(null);
  expect(countStream({ isSignedIn: false })).toBeNull();
  const members = Array.from({ length: MAX_STREAMS - MAX_SIGNED_OUT_STREAMS }, () =>
    countStream({ isSignedIn: true }),
  );
  expect(members).not.toContain(null);
  expect(countStream({ isSignedIn: true })).toBeNull();

  // A stream may be ended twice, which frees one slot only.
  signedOut[0]?.();
  signedOut[0]?.();
  expect(countStream({ isSignedIn: true })).not.toBeNull();
  expect(countStream({ isSignedIn: true })).toBeNull();
});

test("a holder's new stream closes the one that has stalled longest once all slots have open files", () => {
  const holder = { id: "a", maxStreams: 2 };
  const closed: string[] = [];
  const open = (name: string) => {
    const stream = trackStream(holder, () => {
      closed.push(name);
      stream.end();
    });
    return stream;
  };
  const first = open("first");
  open("second");
  first.renew();
  trackStream({ ...holder, id: "b" }, () => closed.push("of another"));
  expect(closed).toEqual([]);
  open("third");
  expect(closed).toEqual(["second"]);
  first.end();
  open("fourth");
  expect(closed).toEqual(["second"]);
});
