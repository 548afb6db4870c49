import { paths } from "#app/paths.ts";
import type { TestMedia } from "#tests/support/media.ts";
import { get, members, only, post, type Row, staff, staffWith } from "./row.ts";

/** The studio's pages of items. Others than the staff do not learn that there is anything. */
export function itemRows({ free }: { free: TestMedia }): Row[] {
  const page = (route: string, path: string) => get(route, path, staff(path, "media.edit", "200"));
  return [
    // Every role opens the first page, which shows what it may know.
    get("routes/studio._index", paths.studio(), {
      ...members(paths.studio(), "404"),
      ...only([...staffWith("media.edit"), ...staffWith("records")], "200"),
    }),
    page("routes/studio.media._index", paths.studioMedia({ state: "draft" })),
    page("routes/studio.media.$id", paths.studioItem(free.id)),
    // A form without one of its buttons changes nothing.
    post("routes/studio.media.$id", paths.studioItem(free.id), {}, staff("/", "media.edit", "422")),
    page("routes/studio.media_.bulk", paths.studioBulk({ change: "access:free", id: free.id })),
    post("routes/studio.media_.bulk", paths.studioBulk(), {}, staff("/", "media.edit", "422")),
  ];
}
