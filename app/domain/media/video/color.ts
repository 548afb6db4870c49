/** As ffprobe names them; undefined where the file does not say. */
export interface PictureColor {
  range?: string;
  matrix?: string;
  transfer?: string;
  primaries?: string;
}

/** How the filters of ffmpeg make a picture's colors bt709 in 8 bits, and which of them not every build has. */
export interface ColorConversion {
  /** Options of the filter `scale`. */
  scaling: string;
  /** After it. */
  filters: string[];
  required: string[];
}

const HDR_TRANSFERS = ["smpte2084", "arib-std-b67"];
const WIDE_PRIMARIES = ["bt2020", "smpte431", "smpte432"];
const KNOWN_TRANSFERS = ["bt709", "smpte170m", "bt2020-10", "bt2020-12", "iec61966-2-1", "linear"];
const NARROW = [undefined, "unknown", "bt709", "smpte170m", "bt470bg"];
const SDR_MATRICES: Record<string, string> = {
  bt709: "bt709",
  smpte170m: "bt601",
  bt470bg: "bt601",
  bt2020nc: "bt2020",
  bt2020c: "bt2020",
  smpte240m: "smpte240m",
  fcc: "fcc",
};
/** The white of SDR in HDR, in nits: ITU-R BT.2408. */
const WHITE_NITS = 203;
/** The brightest light that the usual mastering screens show; more is cut off. */
const PEAK_NITS = 1000;
/** The part of the SDR range that is kept exactly; the rest is shared by everything brighter. */
const EXACT_PART = 0.9;

export function isHdr({ transfer = "" }: PictureColor): boolean {
  return HDR_TRANSFERS.includes(transfer);
}

/** Whether browsers show the colors right when the picture is copied. */
export function isPlainColor({ range, matrix, transfer, primaries }: PictureColor): boolean {
  const isPlainTransfer = NARROW.includes(transfer) || transfer === "iec61966-2-1";
  return range !== "pc" && NARROW.includes(matrix) && NARROW.includes(primaries) && isPlainTransfer;
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
  // Players, too, take the color of a file that says nothing from its size.
  const guessed = width >= 1280 || height > 576 ? "bt709" : "bt601";
  const matrix = SDR_MATRICES[color.matrix ?? ""] ?? guessed;
  return {
    scaling: `:in_color_matrix=${matrix}:out_color_matrix=bt709:out_range=tv`,
    filters: ["format=yuv420p"],
    required: [],
  };
}

/**
 * For HDR and wide colors where this ffmpeg lacks the filters: the matrix alone is right. HLG looks nearly so, PQ is pale and
 * dark.
 */
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
