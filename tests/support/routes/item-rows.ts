import { paths } from "#app/paths.ts";
import type { TestMedia } from "#tests/support/media.ts";
import { get, post, type Row, staff } from "./row.ts";

/** The studio's pages of items. Others than the staff do not learn that there is anything. */
export function itemRows({ free }: { free: TestMedia }): Row[] {
  const editors = (path: string, outcome: string) => staff(path, "media.edit", outcome);
  const page = (route: string, path: string) => get(route, path, editors(path, "200"));
  return [
    get("routes/studio._index", paths.studio(), { ...editors(paths.studio(), "200"), records: "200" }),
    page("routes/studio.media._index", paths.studioMedia({ state: "draft" })),
    page("routes/studio.media.$id", paths.studioItem(free.id)),
    // A form without one of its buttons changes nothing.
    post("routes/studio.media.$id", paths.studioItem(free.id), {}, editors("/", "422")),
    page("routes/studio.media_.bulk", paths.studioBulk({ change: "access:free", id: free.id })),
    post("routes/studio.media_.bulk", paths.studioBulk(), {}, editors("/", "422")),
  ];
}
