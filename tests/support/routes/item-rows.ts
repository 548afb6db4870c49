import { eq } from "drizzle-orm";
import { DAY_MS } from "#app/dates.ts";
import { PART_SECTIONS } from "#app/domain/catalog/edit/item/parts.ts";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import type { StaffRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { media } from "#db/schema/catalog.ts";
import type { TestMedia } from "#tests/support/media.ts";
import { all, get, markedFor, members, only, post, type Row, staff, staffWith } from "./row.ts";
import type { Library } from "./rows.ts";

const FRAME = "routes/studio.media.$id";
const ITEM = `${FRAME}._index`;
const ORIGINAL = "routes/studio.media.$id_.originals.$n";
const BULK = "routes/studio.media_.bulk";
const UPLOAD = "routes/studio.upload";
const UPLOAD_FILES = "routes/studio.upload_.files.$";
/** The id is that of the change which the request begins. */
const RUNS = `303 ${paths.studioBulk({ running: "id" })}`;
const PARTS = [...Object.keys(PART_SECTIONS), "cover", "captions", "trailer", "files"];
/** Long enough for a deletion. */
const LONG_AGO = new Date(Date.now() - 40 * DAY_MS);

/** The studio's pages of items. Others than the staff do not learn that there is anything. */
export function itemRows(library: Library): Row[] {
  const { free, gated, set, bulkChange } = library;
  const page = (route: string, path: string) => get(route, path, staff(path, "media.edit", "200"));
  const photos = paths.studioItemPart(set.id, "photos");
  return [
    // Every role opens the first page, which shows what it may know.
    get("routes/studio._index", paths.studio(), {
      ...members(paths.studio(), "404"),
      ...only([...staffWith("media.edit"), ...staffWith("records")], "200"),
    }),
    page("routes/studio.media._index", paths.studioMedia({ state: "draft" })),
    page(FRAME, paths.studioItem(free.id)),
    page(ITEM, paths.studioItem(free.id)),
    // A form without one of its buttons changes nothing.
    post(ITEM, paths.studioItemForm(free.id), {}, staff("/", "media.edit", "422")),
    // Nothing is in the making.
    post(
      `${FRAME}.files`,
      paths.studioItemPart(free.id, "files"),
      { intent: "cancel" },
      staff("/", "media.edit", "422"),
    ),
    page("routes/studio.media.$id_.encoding", paths.studioEncoding(free.id)),
    ...[paths.studioOriginal(gated.id, 1)].map((path) =>
      get(ORIGINAL, path, staff(path, "media.original", "200")),
    ),
    ...[paths.studioOriginal(free.id, 1), paths.studioOriginal(gated.id, 2)].map((path) =>
      get(ORIGINAL, path, staff(path, "media.original", "404")),
    ),
    ...uploadRows(),
    page(BULK, paths.studioBulk({ change: "access:free", id: free.id })),
    page(BULK, paths.studioBulk({ running: bulkChange })),
    post(BULK, paths.studioBulk(), {}, staff("/", "media.edit", "422")),
    ...PARTS.flatMap((part) => {
      const path = paths.studioItemPart(free.id, part);
      // Without its version or button, a form changes nothing.
      return [
        page(`${FRAME}.${part}`, path),
        post(`${FRAME}.${part}`, path, {}, staff("/", "media.edit", "422")),
      ];
    }),
    page(`${FRAME}.photos`, photos),
    // Without its rows, a set's list could not be shown again, so this is the form of new photos, without a file.
    { ...post(`${FRAME}.photos`, photos, {}, staff("/", "media.edit", "422")), body: withoutFile },
    ...editRows(library),
    ...stateRows(library),
  ];
}

function withoutFile(): FormData {
  const form = new FormData();
  form.set("intent", "add");
  return form;
}

/** Nobody has an upload here, so those who may upload learn no more than others. */
function uploadRows(): Row[] {
  const page = paths.studioUpload();
  const news = paths.studioUploadNews();
  const file = paths.studioUploadFiles("unknown");
  // A script cannot follow a redirect to a sign-in.
  const toScripts = { ...all("404"), ...only(["nobody", "no age proof", "visitor"], "401") };
  return [
    get(UPLOAD, page, staff(page, "media.edit", "200")),
    get("routes/studio.upload_.news", news, staff(news, "media.edit", "200")),
    post(UPLOAD, page, {}, staff("/", "media.edit", `303 ${page}`)),
    get(UPLOAD_FILES, file, { ...toScripts, ...only(staffWith("media.edit"), "405") }),
    post(UPLOAD_FILES, file, {}, { ...toScripts, ...only(staffWith("media.edit"), "412") }),
  ];
}

function editRows({ draft, changing, bulkChange }: Library): Row[] {
  const { id, title } = draft;
  const text = paths.studioItemPart(id, "text");
  const form = { version: versionOf({ title, description: "" }), title, description: "Two at the sea" };
  const access = { change: "access:free", id: changing.id };
  const stop = { intent: "stop", running: bulkChange };
  return [
    post(`${FRAME}.text`, text, form, staff("/", "media.edit", `303 ${text}`)),
    post(ITEM, paths.studioItemForm(id), { intent: "makeLink" }, staff("/", "media.edit", "200")),
    post(BULK, paths.studioBulk(), access, staff("/", "media.edit", RUNS)),
    post(BULK, paths.studioBulk(), stop, staff("/", "media.edit", RUNS)),
  ];
}

/** An editor opens the pages, but cannot change a state. */
function stateRows({ changing }: Library): Row[] {
  const { id } = changing;
  const change = (
    [from, to]: [from: MediaState, to: MediaState],
    right: StaffRight,
    done: string,
    [route, path, fields]: [route: string, path: string, fields: Record<string, string>],
  ): Row => {
    const expected = { ...staff("/", "media.edit", "422"), ...only(staffWith(right), done) };
    const row = post(route, path, fields, expected);
    return {
      ...markedFor(staffWith(right), row, () => stateOf(changing), to, from),
      prepare: () => letBe(changing, from),
    };
  };
  const item = (fields: Record<string, string>): [string, string, Record<string, string>] => [
    ITEM,
    paths.studioItemForm(id),
    fields,
  ];
  const published = `303 ${paths.studioItem(id)}`;
  const deleted = `303 ${paths.studioMedia()}`;
  return [
    change(["draft", "published"], "media.publish", published, item({ intent: "publish", confirm: "yes" })),
    change(["takenDown", "deleted"], "site", deleted, item({ intent: "delete", confirm: "yes" })),
    change(["published", "hidden"], "media.publish", RUNS, [
      BULK,
      paths.studioBulk(),
      { change: "state:hide", id },
    ]),
  ];
}

async function stateOf({ id }: TestMedia): Promise<string> {
  const [item] = await db.select({ state: media.status }).from(media).where(eq(media.id, id));
  return item?.state ?? "gone";
}

async function letBe({ id }: TestMedia, status: MediaState): Promise<void> {
  const publishAt = status === "draft" ? null : LONG_AGO;
  const takenDownAt = status === "takenDown" ? LONG_AGO : null;
  await db
    .update(media)
    .set({ status, publishAt, takenDownAt, hiddenFrom: null, deletedAt: null })
    .where(eq(media.id, id));
}
