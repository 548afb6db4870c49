import { paths } from "#app/paths.ts";
import { get, post, type Row, staff } from "./row.ts";
import type { Library } from "./rows.ts";

/** The studio's pages of creators and tags. */
export function nameRows({ creatorId, creatorSlug, tagId }: Library): Row[] {
  const page = (route: string, path: string) =>
    get(`routes/${route}`, path, staff(path, "media.edit", "200"));
  const form = (route: string, path: string, fields: Record<string, string>, outcome: string) =>
    post(`routes/${route}`, path, fields, staff("/", "media.edit", outcome));
  const creator = paths.studioCreator(creatorId);
  const tag = paths.studioTag(tagId);
  const merge = paths.studioMerge({ kind: "creator", from: creatorId });
  const opened = { name: "Known", slug: creatorSlug, bio: "" };
  const text = { section: "text", opened: JSON.stringify(opened), ...opened };
  const rename = { section: "text", opened: '{"name":"Known"}', name: "Known" };
  return [
    page("studio.creators._index", paths.studioCreators()),
    // Without a name nobody is made.
    form("studio.creators._index", paths.studioCreators(), {}, "422"),
    page("studio.creators.$id", creator),
    form("studio.creators.$id", creator, {}, "422"),
    form(
      "studio.creators.$id",
      creator,
      text,
      `303 ${paths.studioCreator(creatorId, { saved: "text" })}#text`,
    ),
    form("studio.creators.$id", creator, { section: "delete", confirm: "yes" }, "422"),
    page("studio.tags._index", paths.studioTags()),
    page("studio.tags.$id", tag),
    form("studio.tags.$id", tag, {}, "422"),
    form("studio.tags.$id", tag, rename, `303 ${paths.studioTag(tagId, { saved: "text" })}#text`),
    page("studio.names.merge", merge),
    form("studio.names.merge", merge, {}, "422"),
  ];
}
