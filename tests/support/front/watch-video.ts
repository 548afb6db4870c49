import { get, type IncomingMessage } from "node:http";

/** On a connection of its own. Resolves when the response begins. */
export function openVideo(url: string, cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie }, agent: false }, resolve).on("error", reject);
  });
}

/** Some megabytes a second. Resolves to the bytes received when the connection closes. */
export function readSlowly(stream: IncomingMessage): Promise<number> {
  let received = 0;
  stream.on("data", (chunk: Buffer) => {
    received += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 10);
  });
  stream.on("error", () => {});
  return new Promise((resolve) => stream.on("close", () => resolve(received)));
}
