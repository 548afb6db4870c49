// Preloaded by NODE_OPTIONS: a process is blocked for good at SIGHUP, and where it lists a folder of uploads.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

function block() {
  for (;;);
}

const { readdir } = fs.promises;
fs.promises.readdir = (path, ...rest) => {
  if (String(path).includes("/.uploads/")) block();
  return readdir(path, ...rest);
};
syncBuiltinESMExports();
process.on("SIGHUP", block);
