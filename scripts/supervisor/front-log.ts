// Needed because nginx stops when nobody reads its pipe, and its messages quote visitors: decision 143.
import { closeSync, ftruncateSync, openSync, readSync, writeFileSync } from "node:fs";
import { printText } from "./processes.ts";

const RELAY_MS = 250;
const READ_BYTES = 262_144;
const MAX_FILE_BYTES = 8_000_000;

const FROM_NGINX = /^[\d/]+ [\d:]+ \[(\w+)\] \d+#\d+: (.*)$/;
/** The number of the connection, in messages about a visitor's request. */
const ABOUT_A_REQUEST = /^\*\d+ /;
/** nginx's access log has a line for this refusal already. */
const TOO_LARGE = /^\*\d+ client intended to send too large body/;

/** Prints what nginx writes into the file. Returns the function that prints the rest and stops. */
export function relayLog(path: string, print = printText): () => void {
  writeFileSync(path, "", { mode: 0o600 });
  const file = openSync(path, "r+");
  const buffer = Buffer.alloc(READ_BYTES);
  let position = 0;
  const relay = () => {
    for (;;) {
      const bytes = readSync(file, buffer, 0, READ_BYTES, position);
      const end = buffer.subarray(0, bytes).lastIndexOf("\n") + 1;
      if (end === 0) break;
      print(buffer.toString("utf8", 0, end));
      position += end;
    }
    if (position < MAX_FILE_BYTES) return;
    ftruncateSync(file);
    position = 0;
  };
  const timer = setInterval(relay, RELAY_MS);
  return () => {
    clearInterval(timer);
    relay();
    closeSync(file);
  };
}

/** Without what a visitor wrote: nginx quotes addresses, hosts and headers. */
export function printFrontMessage(line: string, print = printText): void {
  const [, level, message = ""] = FROM_NGINX.exec(line) ?? [];
  if (TOO_LARGE.test(message)) return;
  const msg = ABOUT_A_REQUEST.test(message) ? withoutQuotes(message) : message;
  const entry = { level: 50, time: Date.now(), msg: `nginx: ${msg}` };
  print(`${level === undefined ? line : JSON.stringify(entry)}\n`);
}

function withoutQuotes(message: string): string {
  return message
    .replace(ABOUT_A_REQUEST, "")
    .replace(/, (?:client|server|request|subrequest|upstream|host|referrer): .*$/, "")
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\/[^\s]*/g, "…");
}
