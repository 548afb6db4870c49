import { redirect } from "@remix-run/node";
import type { SavedPart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { findName, type NameRow } from "#app/domain/catalog/edit/names/name-rows.server.ts";
import { findMergeTarget } from "#app/domain/catalog/media/former-slugs.server.ts";
import { type NameKind, paths } from "#app/paths.ts";

/** Of the addresses of the lists, /studio/creators and /studio/tags. */
export function kindIn({ names }: { names?: string | undefined }): NameKind {
  if (names === "creators") return "creator";
  if (names === "tags") return "tag";
  throw new Response("Not Found", { status: 404 });
}

/** An id that is gone leads to the name that it was merged into. */
export async function requireName(params: {
  names?: string | undefined;
  id?: string | undefined;
}): Promise<NameRow & { kind: NameKind }> {
  const kind = kindIn(params);
  const { id = "" } = params;
  const row = await findName(kind, id);
  if (row !== null) return { ...row, kind };
  const target = await findMergeTarget(kind, id);
  if (target === null) throw new Response("Not Found", { status: 404 });
  throw redirect(paths.studioName(kind, target), 301);
}

/** `problem`: a sentence, or null when it is done. */
export function outcomeOf(problem: string | null): SavedPart<object> {
  if (problem !== null) return { saved: false, errors: { form: problem } };
  return { saved: true, title: "", renamed: [] };
}
