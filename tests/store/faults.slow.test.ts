import { randomBytes } from "node:crypto";
import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { connectStore } from "#app/domain/media/storage/s3-client.server.ts";
import { abortAbandoned } from "#app/domain/media/storage/s3-entries.server.ts";
import { type MediaStorage, StorageUnavailableError } from "#app/domain/media/storage/storage.ts";
import { type ChaosProxy, startChaosProxy } from "#tests/support/chaos-proxy.ts";
import { type Engine, startEngine } from "#tests/support/store/engine.ts";
import { s3From, storageFrom } from "#tests/support/store/storage-from.ts";

const MEGABYTE = 1024 * 1024;
let engine: Engine;
let settings: Record<string, string>;
let storage: MediaStorage;
let proxy: ChaosProxy;
/** By way of the proxy. */
let far: MediaStorage;

beforeAll(async () => {
  engine = await startEngine();
  settings = await engine.bucket();
  storage = storageFrom(settings);
  proxy = await startChaosProxy(engine.origin);
  far = storageFrom({ ...settings, S3_ENDPOINT: proxy.url });
});
afterAll(async () => {
  await proxy?.stop();
  await engine?.stop();
});
afterEach(async () => {
  engine.resume();
  await proxy.turn("pass");
});

test("a store that refuses connections is unavailable at once, and serves again when it is back", async () => {
  await storage.put("media/a/1", Buffer.from("1"));
  await engine.down();
  const startedAt = Date.now();
  await Promise.all(
    [
      storage.head("media/a/1"),
      storage.open("media/a/1"),
      storage.list("media/a"),
      storage.delete("media/a/1"),
    ].map((call) => expect(call).rejects.toThrow(StorageUnavailableError)),
  );
  await expect(storage.put("media/a/2", Buffer.from("2"))).rejects.toThrow(StorageUnavailableError);
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  await engine.up();
  expect(String(await storage.read("media/a/1"))).toBe("1");
  expect(await storage.head("media/a/2")).toBeNull();
});

test("a store that hangs keeps nobody waiting for longer than ten seconds", async () => {
  await storage.put("media/h/1", Buffer.from("1"));
  engine.hang();
  const startedAt = Date.now();
  await Promise.all(
    [
      storage.head("media/h/1"),
      storage.open("media/h/1"),
      storage.list("media/h"),
      storage.put("media/h/2", Buffer.from("2")),
    ].map((call) => expect(call).rejects.toThrow(StorageUnavailableError)),
  );
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  engine.resume();
  expect(String(await storage.read("media/h/1"))).toBe("1");
});

test("a stream that is cut goes on where it was cut", async () => {
  const bytes = randomBytes(40 * MEGABYTE);
  await storage.put("media/c/film", bytes);
  const stream = await far.open("media/c/film");
  const chunks: Buffer[] = [];
  let cuts = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    if (cuts < 2 && Buffer.concat(chunks).byteLength > (cuts + 1) * 5 * MEGABYTE) {
      cuts += 1;
      await proxy.turn("refuse");
      await proxy.turn("pass");
    }
  }
  expect(cuts).toBe(2);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

test("a stream outlives a restart of the store, and a reader who takes longer than an answer may", async () => {
  const bytes = randomBytes(8 * MEGABYTE);
  await storage.put("media/c/restart", bytes);
  const connections = proxy.connections();
  const stream = await far.open("media/c/restart");
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    if (chunks.length === 0) await setTimeout(10_000);
    chunks.push(chunk);
  }
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(proxy.connections() - connections).toBeLessThanOrEqual(1);

  const running = await far.open("media/c/restart");
  const received: Buffer[] = [];
  for await (const chunk of running) {
    received.push(chunk);
    if (received.length !== 1) continue;
    await engine.down();
    globalThis.setTimeout(() => void engine.up(), 5_000);
  }
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
}, 120_000);

test("a stream that nobody reads gives its connection back", async () => {
  await storage.put("media/c/unread", randomBytes(40 * MEGABYTE));
  const opened = await Promise.all(Array.from({ length: 20 }, () => storage.open("media/c/unread")));
  for (const stream of opened) stream.destroy();
  await expect
    .poll(() => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length, {
      timeout: 5_000,
    })
    .toBeLessThan(20);
});

test("a stream whose store stays away fails, and never ends as if it were whole", async () => {
  await storage.put("media/c/gone", randomBytes(40 * MEGABYTE));
  const stream = await far.open("media/c/gone");
  await proxy.turn("refuse");
  await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError);
});

test("an object that is replaced while it is read fails instead of becoming a mixture", async () => {
  await storage.put("media/c/changed", randomBytes(40 * MEGABYTE));
  const stream = await far.open("media/c/changed");
  await storage.put("media/c/changed", randomBytes(40 * MEGABYTE));
  await proxy.turn("refuse");
  await proxy.turn("pass");
  await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError);
});

test("an answer that is lost after the object was stored counts as stored", async () => {
  const bytes = randomBytes(100_000);
  const stored = await storage.put("media/l/1", bytes);
  await storage.delete("media/l/1");
  await proxy.turn("lose-puts");
  expect(await far.put("media/l/1", bytes)).toEqual(stored);
  expect((await storage.read("media/l/1"))?.equals(bytes)).toBe(true);
});

test("what an interrupted write of several parts left is removed after a day, and not before", async () => {
  const { bucket: Bucket, ...s3 } = s3From(settings);
  const store = connectStore({ bucket: Bucket, ...s3 });
  await store.client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${s3.prefix}media/u/film` }));
  expect(await storage.deleteUnfinished()).toBe(0);
  const later = { ...store, now: () => new Date(Date.now() + 25 * 3_600_000) };
  expect(await abortAbandoned(later, { Bucket, Key: s3.prefix })).toBe(1);
  expect((await store.client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
});

test("what was made and is moved waits for the store; a copy does not", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "peony-made-")), "made");
  await writeFile(path, "made for hours");
  await engine.down();
  await expect(storage.put("media/p/copy", { path })).rejects.toThrow(StorageUnavailableError);
  globalThis.setTimeout(() => void engine.up(), 2_000);
  await storage.put("media/p/made", { path, move: true });
  expect(String(await storage.read("media/p/made"))).toBe("made for hours");
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("a wrong secret and a full bucket are unavailable, not missing", async () => {
  const wrong = storageFrom({ ...settings, S3_SECRET_KEY: "another-secret-of-the-store" });
  await expect(wrong.head("media/a/1")).rejects.toThrow(StorageUnavailableError);
  await expect(wrong.put("media/w/1", Buffer.from("1"))).rejects.toThrow(StorageUnavailableError);
  const quota = ["--quota-scope=user", "--uid=test"];
  await engine.admin("quota", "set", ...quota, "--max-size=1");
  await engine.admin("quota", "enable", ...quota);
  await expect
    .poll(
      () =>
        storage.put("media/w/2", randomBytes(MEGABYTE)).then(
          () => "stored",
          (error) => error,
        ),
      { timeout: 60_000 },
    )
    .toBeInstanceOf(StorageUnavailableError);
  await engine.admin("quota", "disable", ...quota);
});

test("a computer whose clock is five minutes wrong gives addresses that are valid", async () => {
  await storage.put("media/k/1", Buffer.from("1"));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 300_000 });
  onTestFinished(() => void vi.useRealTimers());
  const late = storageFrom(settings);
  const address = await late.addressOf("media/k/1");
  const answer = await fetch(address?.url ?? "");
  expect([answer.status, await answer.text()]).toEqual([200, "1"]);
});
