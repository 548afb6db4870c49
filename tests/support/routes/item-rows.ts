import { paths } from "#app/paths.ts";
import type { TestMedia } from "#tests/support/media.ts";
import { get, members, post, type Row } from "./row.ts";

/** The studio's pages of items. Others than the staff do not learn that there is anything. */
export function itemRows({ free }: { free: TestMedia }): Row[] {
  const staff = (path: string, outcome: string) => ({ ...members(path, "404"), owner: outcome });
  const page = (route: string, path: string) => get(route, path, staff(path, "200"));
  return [
    page("routes/studio._index", paths.studio()),
    page("routes/studio.media._index", paths.studioMedia({ state: "draft" })),
    page("routes/studio.media.$id", paths.studioItem(free.id)),
    // A form without one of its buttons changes nothing.
    post("routes/studio.media.$id", paths.studioItem(free.id), {}, staff("/", "422")),
    page("routes/studio.media_.bulk", paths.studioBulk({ change: "access:free", id: free.id })),
    post("routes/studio.media_.bulk", paths.studioBulk(), {}, staff("/", "422")),
  ];
}
