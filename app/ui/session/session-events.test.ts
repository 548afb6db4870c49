import { afterEach, expect, test, vi } from "vitest";
import { reportChange, reportEvent, sessionChange } from "./session-events.ts";

const ada = { email: "ada@example.com", name: "Ada", avatarUrl: null };
const bob = { ...ada, email: "bob@example.com" };

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  [null, ada, "SIGNED_IN"],
  [ada, bob, "SIGNED_IN"],
  [ada, null, "SIGNED_OUT"],
  [ada, { ...ada, name: "Ada L." }, "USER_UPDATED"],
  [ada, { ...ada, avatarUrl: "/media/avatars/1" }, "USER_UPDATED"],
  [ada, { ...ada }, null],
  [null, null, null],
])("from %o to %o is %s", (before, after, change) => {
  expect(sessionChange(before, after)).toBe(change);
});

function answer(respond: () => Response | Promise<Response>) {
  const fetched = vi.fn<typeof fetch>(async () => respond());
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

const { signal } = new AbortController();

test.each(["SIGNED_IN", "SIGNED_OUT", "USER_UPDATED"] as const)("%s reaches the server", async (event) => {
  const fetched = answer(() => Response.json({ session: null }));
  await reportChange(event, signal);
  expect(fetched).toHaveBeenCalledOnce();
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect([url, init?.method]).toEqual(["/api/auth", "POST"]);
  expect(JSON.parse(String(init?.body))).toEqual({ event, session: null });
});

test("a change is reported once, even when the server is unreachable: a late report could end a newer session", async () => {
  for (const respond of [
    () => new Response(null, { status: 503 }),
    () => Promise.reject(new TypeError("offline")),
  ]) {
    const fetched = answer(respond);
    await reportChange("SIGNED_OUT", signal);
    expect(fetched).toHaveBeenCalledOnce();
  }
});

test("a refresh reports the remaining time of a session, or that it is over", async () => {
  answer(() => Response.json({ session: { expires_in: 28_800 } }));
  expect(await reportEvent("TOKEN_REFRESHED", signal)).toBe(28_800);
  answer(() => new Response(null, { status: 401 }));
  expect(await reportEvent("TOKEN_REFRESHED", signal)).toBe("over");
});

test("neither a server that does not answer nor leaving the page ends the session", async () => {
  vi.useFakeTimers();
  const fetched = answer(() => new Response(null, { status: 503 }));
  const refreshed = reportEvent("TOKEN_REFRESHED", signal);
  await vi.runAllTimersAsync();
  expect(await refreshed).toBe("unreachable");
  expect(fetched.mock.calls.length).toBeGreaterThan(1);
  vi.useRealTimers();
  const page = new AbortController();
  answer(() => {
    page.abort();
    return Promise.reject(page.signal.reason);
  });
  expect(await reportEvent("TOKEN_REFRESHED", page.signal)).toBe("aborted");
});
