import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

// Draws the dashboard's panels from the answers of a running Prometheus, for the picture in docs/operations.md:
//   tsx scripts/dev/draw-dashboard.ts http://127.0.0.1:9090 docs/screenshots/metrics.svg --minutes 10

interface Panel {
  title: string;
  type: string;
  gridPos: Record<"x" | "y" | "w" | "h", number>;
  fieldConfig: { defaults: { unit: string } };
  targets: { expr: string; legendFormat: string }[];
}

interface Line {
  name: string;
  points: [time: number, value: number][];
}

const COLUMN = 50;
const ROW = 30;
const COLORS = ["#1f60c4", "#e0752d", "#37872d", "#c4162a", "#8f3bb8", "#b0a000", "#0a8f8f", "#7c2ea3"];
const MAX_NAMES = 4;
const STEPS = 120;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "10" }, job: { type: "string", default: "peony" } },
});
const [server = "http://127.0.0.1:9090", output = "metrics.svg"] = positionals;
const seconds = Number(values.minutes) * 60;
const end = Date.now() / 1000;
const { panels } = JSON.parse(readFileSync("deploy/grafana/peony.json", "utf8")) as { panels: Panel[] };

const drawn = await Promise.all(panels.map(async (panel) => draw(panel, await linesOf(panel))));
const height = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * ROW;
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * COLUMN} ${height}" font-family="sans-serif" font-size="11">
<title>The panels of the dashboard</title>
<rect width="100%" height="100%" fill="#f4f5f5"/>
${drawn.join("\n")}
</svg>
`,
);

async function linesOf({ targets }: Panel): Promise<Line[]> {
  const all = await Promise.all(targets.map((target) => query(target.expr, target.legendFormat)));
  return all.flat();
}

async function query(expr: string, legend: string): Promise<Line[]> {
  const url = new URL("/api/v1/query_range", server);
  // A short series has too few points for the dashboard's windows of five minutes.
  url.searchParams.set("query", expr.replaceAll("$job", values.job).replaceAll("[5m]", "[1m]"));
  for (const [name, value] of [
    ["start", end - seconds],
    ["end", end],
    ["step", Math.max(1, seconds / STEPS)],
  ] as const) {
    url.searchParams.set(name, String(value));
  }
  const answer = (await (await fetch(url)).json()) as {
    error?: string;
    data?: { result: { metric: Record<string, string>; values: [number, string][] }[] };
  };
  if (answer.data === undefined) throw new Error(`${expr}: ${answer.error}`);
  return answer.data.result.map(({ metric, values: points }) => ({
    name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ""),
    points: points
      .map(([time, value]) => [time, Number(value)] as [number, number])
      .filter(([, v]) => v >= 0),
  }));
}

function draw({ title, type, gridPos, fieldConfig }: Panel, lines: Line[]): string {
  const [left, top] = [gridPos.x * COLUMN + 4, gridPos.y * ROW + 4];
  const [width, panelHeight] = [gridPos.w * COLUMN - 8, gridPos.h * ROW - 8];
  const { unit } = fieldConfig.defaults;
  const frame = `<g transform="translate(${left} ${top})"><rect width="${width}" height="${panelHeight}" rx="3" fill="#fff" stroke="#dcdcdc"/><text x="10" y="18" font-weight="bold" fill="#24292e">${escaped(title)}</text>`;
  const last = lines[0]?.points.at(-1)?.[1];
  if (type === "stat") {
    return `${frame}<text x="${width / 2}" y="${panelHeight - 30}" text-anchor="middle" font-size="30" fill="#24292e">${last === undefined ? "–" : format(last, unit)}</text></g>`;
  }
  const max = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)), 0) || 1;
  const plot = { left: 58, top: 30, width: width - 70, height: panelHeight - 66 };
  const at = ([time, value]: [number, number]) =>
    `${(plot.left + ((time - end + seconds) / seconds) * plot.width).toFixed(1)},${(plot.top + (1 - value / max) * plot.height).toFixed(1)}`;
  const grid = [0, 0.5, 1].map((part) => {
    const y = plot.top + (1 - part) * plot.height;
    return `<path d="M${plot.left} ${y}h${plot.width}" stroke="#e6e6e6"/><text x="${plot.left - 6}" y="${y + 4}" text-anchor="end" fill="#6e7276">${format(max * part, unit)}</text>`;
  });
  const shown = lines.map(({ points }, index) => {
    const color = COLORS[index % COLORS.length];
    return `<polyline points="${points.map(at).join(" ")}" fill="none" stroke="${color}" stroke-width="1.5"/>`;
  });
  const names = lines.slice(0, MAX_NAMES).map(({ name }, index) => {
    const x = 10 + index * ((width - 16) / Math.min(lines.length, MAX_NAMES));
    return `<circle cx="${x + 4}" cy="${panelHeight - 14}" r="4" fill="${COLORS[index]}"/><text x="${x + 12}" y="${panelHeight - 10}" fill="#24292e">${escaped(name)}</text>`;
  });
  return `${frame}${grid.join("")}${shown.join("")}${names.join("")}</g>`;
}

function format(value: number, unit: string): string {
  if (unit === "percentunit") return `${(value * 100).toPrecision(2)} %`;
  if (unit === "bytes") return `${Math.round(value / 2 ** 20)} MiB`;
  const text = value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
  if (unit === "s")
    return value > 0 && value < 1 ? `${Number((value * 1000).toPrecision(2))} ms` : `${text} s`;
  return unit === "reqps" || unit === "ops" ? `${text}/s` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
