import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { untilSiteAnswers } from "#app/ui/parts/retry-delay.ts";
import { reportChange, reportEvent, type SessionChange, sessionChange } from "./session-events.ts";
import type { SessionUser } from "./user-context.tsx";

const CHANNEL = "session";
/** From the specification. */
const REFRESH_BEFORE_SECONDS = 10;

export function SessionKeeper({ user, expiresIn }: { user: SessionUser | null; expiresIn: number | null }) {
  const { revalidate, state } = useRevalidator();
  const lastUser = useRef(user);
  /** A change that another tab has already reported. */
  const reported = useRef<SessionChange | null>(null);

  const channel = useRef<BroadcastChannel | null>(null);
  const report = useRef<AbortController | null>(null);

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    opened.onmessage = ({ data }: MessageEvent<SessionChange>) => {
      reported.current = data;
      revalidate();
    };
    channel.current = opened;
    return () => opened.close();
  }, [revalidate]);

  useEffect(() => {
    const change = sessionChange(lastUser.current, user);
    lastUser.current = user;
    if (change === null) return;
    const isNews = change !== reported.current;
    reported.current = null;
    report.current?.abort();
    if (!isNews) return;
    channel.current?.postMessage(change);
    report.current = new AbortController();
    void reportChange(change, report.current.signal);
  }, [user]);

  // A message that changed nothing must not match the next one. Keep it below the comparison above.
  useEffect(() => {
    if (state === "idle") reported.current = null;
  }, [state]);

  useEffect(() => {
    if (expiresIn === null) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const schedule = (seconds: number) => {
      timer = setTimeout(refresh, Math.max(seconds - REFRESH_BEFORE_SECONDS, 1) * 1000);
    };
    const refresh = async () => {
      const result = await reportEvent("TOKEN_REFRESHED", ending.signal);
      if (result === "aborted") return;
      if (result === "unreachable") await untilSiteAnswers(ending.signal);
      if (ending.signal.aborted) return;
      if (result === "over" || result === "unreachable") revalidate();
      // So close to its thirty-day limit a session cannot be renewed.
      else if (result > REFRESH_BEFORE_SECONDS) schedule(result);
    };
    schedule(expiresIn);
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [expiresIn, revalidate]);

  return null;
}
