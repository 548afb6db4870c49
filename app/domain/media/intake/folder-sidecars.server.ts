import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSameName } from "./file-endings.ts";
import { diskReason, Refusal } from "./refusal.ts";
import { parseSidecar, type Sidecar } from "./sidecar.ts";

const MAX_BYTES = 1024 ** 2;

interface NamedSidecar {
  name: string;
  sidecar: Sidecar | Refusal;
}

/** `companions` are the names of sidecars and captions in the folder. */
export async function readSidecars(
  folder: string,
  label: string,
  companions: string[],
): Promise<NamedSidecar[]> {
  const names = companions.filter((companion) => companion.endsWith(".yaml"));
  return Promise.all(
    names.map(async (name) => {
      const sidecar = await readSidecar(join(folder, name), companions).catch((error: Error) => {
        return new Refusal(join(label, name), diskReason(error) ?? error.message);
      });
      return { name, sidecar };
    }),
  );
}

/** Null when a sidecar cannot be read, which may name any. */
export function namedCaptions(sidecars: NamedSidecar[]): string[] | null {
  const named: string[] = [];
  for (const { sidecar } of sidecars) {
    if (sidecar instanceof Refusal) return null;
    for (const { file } of sidecar.captions ?? []) named.push(file);
  }
  return named;
}

/** A sidecar may name captions in another form of Unicode than the disk. */
async function readSidecar(path: string, companions: string[]): Promise<Sidecar> {
  if ((await stat(path)).size > MAX_BYTES) throw new Error("larger than 1 MB");
  const sidecar = parseSidecar(await readFile(path));
  if (!sidecar.captions) return sidecar;
  const captions = sidecar.captions.map((each) => {
    return { ...each, file: companions.find((name) => isSameName(name, each.file)) ?? each.file };
  });
  return { ...sidecar, captions };
}
