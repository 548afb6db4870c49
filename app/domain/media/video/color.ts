export interface PictureColor {
  range?: string;
  matrix?: string;
  transfer?: string;
  primaries?: string;
}

export interface ColorConversion {
  scaling: string;
  filters: string[];
  required: string[];
}

const HDR_TRANSFERS = ["smpte2084", "arib-std-b67"];
const WIDE_PRIMARIES = ["bt2020", "smpte431", "smpte432"];
const KNOWN_TRANSFERS = ["bt709", "smpte170m", "bt2020-10", "bt2020-12", "iec61966-2-1", "linear"];
const PLAIN = [undefined, "unknown", "bt709", "smpte170m", "bt470bg"];
const SDR_MATRICES: Record<string, string> = {
  bt709: "bt709",
  smpte170m: "bt601",
  bt470bg: "bt601",
  bt2020nc: "bt2020",
  bt2020c: "bt2020",
  smpte240m: "smpte240m",
  fcc: "fcc",
};
/** The white of SDR within HDR: ITU-R BT.2408. */
const WHITE_NITS = 203;
/** Usual mastering screens show no more. */
const PEAK_NITS = 1000;
const EXACT_PART = 0.9;

export function isHdr({ transfer = "" }: PictureColor): boolean {
  return HDR_TRANSFERS.includes(transfer);
}

export function isPlainColor({ range, matrix, transfer, primaries }: PictureColor): boolean {
  const isPlainTransfer = PLAIN.includes(transfer) || transfer === "iec61966-2-1";
  return range !== "pc" && PLAIN.includes(matrix) && PLAIN.includes(primaries) && isPlainTransfer;
}

export function colorConversion(
  color: PictureColor,
  { width, height }: { width: number; height: number },
): ColorConversion {
  const { primaries = "" } = color;
  if (isHdr(color)) return { scaling: "", filters: toneMapping(color), required: ["zscale", "tonemap"] };
  if (WIDE_PRIMARIES.includes(primaries)) {
    return { scaling: "", filters: [narrowing(color)], required: ["zscale"] };
  }
  // Players guess it from the size, too.
  const guessed = width >= 1280 || height > 576 ? "bt709" : "bt601";
  const matrix = SDR_MATRICES[color.matrix ?? ""] ?? guessed;
  return {
    scaling: `:in_color_matrix=${matrix}:out_color_matrix=bt709:out_range=tv`,
    filters: ["format=yuv420p"],
    required: [],
  };
}

/** Without the filters for HDR and wide colors: the matrix alone leaves HLG nearly right and PQ pale and dark. */
export function plainConversion({ matrix = "" }: PictureColor): ColorConversion {
  return {
    scaling: `:in_color_matrix=${SDR_MATRICES[matrix] ?? "bt2020"}:out_color_matrix=bt709:out_range=tv`,
    filters: ["format=yuv420p"],
    required: [],
  };
}

function toneMapping(color: PictureColor): string[] {
  return [
    `zscale=${sourceOptions(color)}:t=linear:npl=${WHITE_NITS}`,
    "format=gbrpf32le",
    "zscale=p=bt709",
    `tonemap=mobius:param=${EXACT_PART}:desat=0:peak=${(PEAK_NITS / WHITE_NITS).toFixed(2)}`,
    "zscale=t=bt709:m=bt709:r=tv",
    "format=yuv420p",
  ];
}

function narrowing({ transfer = "", ...color }: PictureColor): string {
  const known = KNOWN_TRANSFERS.includes(transfer) ? transfer : "bt709";
  return `zscale=${sourceOptions({ ...color, transfer: known })}:p=bt709:t=bt709:m=bt709:r=tv,format=yuv420p`;
}

function sourceOptions({ range, matrix = "", transfer, primaries = "" }: PictureColor): string {
  const known = ["bt709", "bt2020c", "smpte170m", "bt470bg", "gbr"].includes(matrix) ? matrix : "bt2020nc";
  const from = WIDE_PRIMARIES.includes(primaries) || primaries === "bt709" ? primaries : "bt2020";
  return `rin=${range === "pc" ? "pc" : "tv"}:min=${known}:tin=${transfer}:pin=${from}`;
}
