import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { reportEvent } from "./report-event.ts";

const CHANNEL = "session";
/** From the specification. */
const REFRESH_BEFORE_SECONDS = 10;

/** Keeps the session while a page is open, and lets the browser's tabs agree on who is signed in. Draws nothing. */
export function SessionKeeper({
  userEmail,
  expiresIn,
}: {
  userEmail: string | null;
  expiresIn: number | null;
}) {
  const { revalidate } = useRevalidator();
  const lastEmail = useRef(userEmail);

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => revalidate();
    if (lastEmail.current !== userEmail) channel.postMessage(userEmail === null ? "SIGNED_OUT" : "SIGNED_IN");
    lastEmail.current = userEmail;
    return () => channel.close();
  }, [userEmail, revalidate]);

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
