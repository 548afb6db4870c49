import { MEDIA_STATES, type MediaState } from "#app/domain/catalog/edit/media-states.ts";
import { runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:list",
    takes: "[--state draft]",
    does: "Lists the items of the site in all states, the last changed first.",
    options: { state: { type: "string", does: `only these: ${MEDIA_STATES.join(", ")}` } },
    hasItems: false,
    check: ({ state }) =>
      state === undefined || isState(state) ? null : `--state is one of ${MEDIA_STATES.join(", ")}.`,
  },
  async ({ values, isJson }) => {
    const { listStates } = await import("#app/domain/catalog/edit/list-states.server.ts");
    const rows = [];
    for await (const row of listStates((values.state as MediaState | undefined) ?? null)) {
      if (isJson) rows.push(row);
      else {
        const date = row.publishAt?.slice(0, 16) ?? "";
        console.log(
          `${row.shortId}  ${row.state.padEnd(9)}  ${date.padEnd(16)}  ${row.type.padEnd(8)}  ${row.title}`,
        );
      }
    }
    if (isJson) console.log(JSON.stringify(rows, null, 2));
    return 0;
  },
);

function isState(value: string | boolean): boolean {
  return MEDIA_STATES.some((state) => state === value);
}
