import { toZoneTime } from "#app/dates.ts";
import { MEDIA_STATES } from "#app/domain/catalog/edit/states/media-states.ts";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import { runMediaScript } from "./command/media-script.ts";

/** The length of "2026-11-27 20:00 ", which the zone follows. */
const DATE_LENGTH = 17;

await runMediaScript(
  {
    name: "media:list",
    takes: "[--state draft]",
    does: "Lists the site's items in all states, the most recently changed first.",
    options: { state: { type: "string", does: `only items in this state: ${MEDIA_STATES.join(", ")}` } },
    hasItems: false,
    check: ({ state }) =>
      state === undefined || isState(state) ? null : `--state must be one of ${MEDIA_STATES.join(", ")}.`,
  },
  async ({ values, isJson }) => {
    const { site } = await import("#app/domain/site/site.server.ts");
    const { listStates } = await import("#app/domain/catalog/edit/states/list-states.server.ts");
    const rows = [];
    for await (const row of listStates((values.state as MediaState | undefined) ?? null)) {
      if (isJson) rows.push(row);
      else {
        const date = row.publishAt === null ? "" : timeIn(site.timeZone, row.publishAt);
        const columns = [row.state.padEnd(9), date.padEnd(DATE_LENGTH + site.timeZone.length)];
        console.log([row.shortId, ...columns, row.type.padEnd(8), row.title].join("  "));
      }
    }
    if (isJson) console.log(JSON.stringify(rows, null, 2));
    return 0;
  },
);

/** "2026-11-27 20:00 Europe/Berlin" */
function timeIn(zone: string, moment: string): string {
  return `${toZoneTime(new Date(moment), zone).replace("T", " ")} ${zone}`;
}

function isState(value: string | boolean): boolean {
  return MEDIA_STATES.some((state) => state === value);
}
