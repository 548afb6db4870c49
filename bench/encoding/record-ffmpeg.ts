import { chmod, readFile, writeFile } from "node:fs/promises";

/** A program that stands in for ffmpeg and writes down its arguments. */
export async function recordFfmpeg(name: string) {
  const { ffmpeg } = (await import("#app/config.server.ts")).config.media;
  const [log, recorder] = [`${name}-commands`, `${name}-recorder`];
  const record = `printf '%s\\0' "$@" >> ${log}; printf '\\0' >> ${log}`;
  await writeFile(recorder, `#!/bin/sh\n${record}\nexec "${ffmpeg}" "$@"\n`);
  await chmod(recorder, 0o700);
  const readCommands = async () => {
    const commands = (await readFile(log, "utf8")).split("\0\0").map((one) => one.split("\0"));
    return commands.filter(({ length }) => length > 1);
  };
  return { ffmpeg, recorder, readCommands };
}
