import { spawnSync } from "node:child_process";
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { printText } from "../output.ts";

const FROM_NGINX = /^[\d/]+ [\d:]+ \[(\w+)\] \d+#\d+: (.*)$/;
/** The number of the connection begins a message about a visitor's request. */
const ABOUT_A_REQUEST = /^\*\d+ /;

/** nginx opens its log by name, which the socket that Node gives a program has not. */
export function relayLog(path: string, print = printText): void {
  const { status } = spawnSync("mkfifo", ["-m", "600", path]);
  if (status !== 0) throw new Error(`The named pipe ${path} could not be made.`);
  // Open for writing too, or the pipe would end when nginx is restarted.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  new Socket({ fd, readable: true, writable: false }).on("data", (lines) => print(lines.toString()));
}

/** Prints nginx's own message without what a visitor wrote: it quotes addresses, hosts and headers. */
export function printFrontMessage(line: string, print = printText): void {
  const [, level, message = ""] = FROM_NGINX.exec(line) ?? [];
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
