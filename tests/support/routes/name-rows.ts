import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { paths } from "#app/paths.ts";
import { get, post, type Row, staff } from "./row.ts";
import type { Library } from "./rows.ts";

const FRAME = "routes/studio.$names.$id";
const LIST = "routes/studio.$names._index";

/** The studio's pages of creators and tags. */
export function nameRows({ creatorId, tagId }: Library): Row[] {
  const page = (route: string, path: string, outcome = "200") =>
    get(route, path, staff(path, "media.edit", outcome));
  const form = (route: string, path: string, fields: Record<string, string>, outcome: string) =>
    post(route, path, fields, staff("/", "media.edit", outcome));
  const creator = paths.studioName("creator", creatorId);
  const tag = paths.studioName("tag", tagId);
  const rename = { version: versionOf({ name: "Known" }), name: "Known" };
  const sure = { version: "", confirm: "yes" };
  const target = { version: "", into: creatorId };
  return [
    page(LIST, paths.studioNames("creator")),
    page(LIST, paths.studioNames("tag")),
    page(LIST, "/studio/unknown", "404"),
    // Without a name nobody is made.
    form(LIST, paths.studioNames("creator"), {}, "422"),
    form(LIST, paths.studioNames("tag"), { version: "", name: "New" }, "405"),
    ...[creator, tag].flatMap((path) => [
      page(FRAME, path),
      page(`${FRAME}._index`, path),
      form(`${FRAME}._index`, `${path}?index`, {}, "422"),
    ]),
    form(`${FRAME}._index`, `${tag}?index`, rename, `303 ${tag}`),
    page(`${FRAME}.portrait`, `${creator}/portrait`),
    page(`${FRAME}.portrait`, `${tag}/portrait`, "404"),
    form(`${FRAME}.portrait`, `${creator}/portrait`, {}, "422"),
    form(`${FRAME}.portrait`, `${tag}/portrait`, { version: "" }, "404"),
    page(`${FRAME}.merge`, `${creator}/merge`),
    form(`${FRAME}.merge`, `${creator}/merge`, target, "422"),
    page(`${FRAME}.delete`, `${creator}/delete`),
    form(`${FRAME}.delete`, `${creator}/delete`, sure, "422"),
  ];
}
