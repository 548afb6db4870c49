import { expect, test } from "vitest";
import { lockedPanel } from "./locked-panel.ts";

const NOBODY = { subscription: null, session: null };
const MEMBER = { subscription: null, session: { now: new Date() } } as never;
const HERE = "/content/video/a-room";
const refusedFor = (reason: "signedOut" | "noSubscription") => ({ allowed: false, reason }) as never;

test.each([
  {
    who: "a visitor without an account",
    panel: lockedPanel(refusedFor("signedOut"), "subscriber", NOBODY, HERE),
    first: "/subscribe?next=%2Fcontent%2Fvideo%2Fa-room",
    signIn: "/signin?next=%2Fcontent%2Fvideo%2Fa-room",
  },
  {
    who: "a member without a subscription",
    panel: lockedPanel(refusedFor("noSubscription"), "subscriber", MEMBER, HERE),
    first: "/subscribe?next=%2Fcontent%2Fvideo%2Fa-room",
    signIn: null,
  },
  {
    who: "a visitor who needs an account only",
    panel: lockedPanel(refusedFor("signedOut"), "member", NOBODY, HERE),
    first: "/signin?next=%2Fcontent%2Fvideo%2Fa-room",
    signIn: null,
  },
])("the first button leads $who to what is missing, and back", ({ panel, first, signIn }) => {
  expect([panel?.next.href, panel?.signIn]).toEqual([first, signIn]);
});
