import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { reportChange, reportEvent } from "./report-event.ts";
import { type SessionChange, sessionChange } from "./session-change.ts";
import type { SessionUser } from "./user-context.tsx";

const CHANNEL = "session";
/** From the specification. */
const REFRESH_BEFORE_SECONDS = 10;

/** Keeps the session while a page is open, and lets the browser's tabs agree on who is signed in. Draws nothing. */
export function SessionKeeper({ user, expiresIn }: { user: SessionUser | null; expiresIn: number | null }) {
  const { revalidate, state } = useRevalidator();
  const lastUser = useRef(user);
  /** What another tab has found, and so has told the server already. */
  const told = useRef<SessionChange | null>(null);

  const channel = useRef<BroadcastChannel | null>(null);
  const report = useRef<AbortController | null>(null);

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    opened.onmessage = ({ data }: MessageEvent<SessionChange>) => {
      told.current = data;
      revalidate();
    };
    channel.current = opened;
    return () => opened.close();
  }, [revalidate]);

  useEffect(() => {
    const change = sessionChange(lastUser.current, user);
    lastUser.current = user;
    if (change === null) return;
    const isNews = change !== told.current;
    told.current = null;
    // One on its way would speak of a session that is not this one.
    report.current?.abort();
    if (!isNews) return;
    channel.current?.postMessage(change);
    report.current = new AbortController();
    void reportChange(change, report.current.signal);
  }, [user]);

  // What changed nothing here must not be taken for the next change. After the comparison above, which comes with the data.
  useEffect(() => {
    if (state === "idle") told.current = null;
  }, [state]);

  useEffect(() => {
    if (expiresIn === null) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const schedule = (seconds: number) => {
      timer = setTimeout(refresh, Math.max(seconds - REFRESH_BEFORE_SECONDS, 1) * 1000);
    };
    const refresh = async () => {
      const left = await reportEvent("TOKEN_REFRESHED", ending.signal);
      if (ending.signal.aborted) return;
      if (left === null) revalidate();
      // So near its thirty days it cannot be renewed any more: let it end.
      else if (left > REFRESH_BEFORE_SECONDS) schedule(left);
    };
    schedule(expiresIn);
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [expiresIn, revalidate]);

  return null;
}
