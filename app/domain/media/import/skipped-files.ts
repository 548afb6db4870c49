const TRASH = "deleted files";
const SYSTEM = "the system's own data";
const THUMBNAILS = "thumbnails";
const CAMERA = "a camera's own data";
const PROGRAM = "another program's own data";

/**
 * In lower case, after https://github.com/jellyfin/jellyfin (IgnorePatterns.cs), https://github.com/syncthing/syncthing
 * (lib/ignore), https://github.com/photoprism/photoprism/issues/1543, the card layouts of Sony, Canon and Panasonic,
 * https://help.goodsync.com/hc/en-us/articles/44434603540237, the shares of NAS by Thecus and Western Digital, and
 * https://insta.pk360.de/insta360_tech_fileTypes.
 */
const FOLDERS: Record<string, string[]> = {
  [TRASH]: [
    ...[
      "$recycle.bin",
      "recycler",
      "recycled",
      "recycle bin",
      "recyclebin",
      "recycle.bin",
      "network recycle bin",
    ],
    ...["#recycle", "@recycle", "trashbox", "network trash folder", "deleted users", "files_trashbin"],
  ],
  [THUMBNAILS]: ["@eadir", "eadir", "@__thumb", "thmbnl"],
  [SYSTEM]: [
    ...["system volume information", "$extend", "$winreagent", "$sysreset", "msocache", "config.msi"],
    ...["lost+found", "lost.dir", "__macosx", "temporary items", "thevolumesettingsfolder", "files_versions"],
    ...["#snapshot", "#snapshots", "@snapshot", "@snapshots", "~snapshot", "@sharesnap", "@sharebin"],
    ...["@recently-snapshot", "@tmp", "@syncbin", "@synologydrive", "@cloudstation", "@transcode"],
    ...["@docker", "@database", "@appstore", "@activebackup", "@s2s", "@img_bkp_cache", "@synoresource"],
  ],
  [CAMERA]: ["canonmsc", "avf_info", "avchdtn", "pana_grp"],
  // For deleted and replaced files.
  [PROGRAM]: ["_gsdata_", "_syncapp"],
};
const FILES: Record<string, string[]> = {
  [THUMBNAILS]: [
    "thumbs.db",
    "thumbs.db:encryptable",
    "ehthumbs.db",
    "ehthumbs_vista.db",
    "zbthumbnail.info",
  ],
  [SYSTEM]: ["desktop.ini", "icon\r", "folder.ico", "pagefile.sys", "swapfile.sys", "hiberfil.sys"],
  [CAMERA]: ["mediapro.xml", "medialog.xml", "status.bin", "indexerv.sys"],
  [PROGRAM]: ["picasa.ini", "pspbrwse.jbf", "sync.ffs_db"],
};
const FOLDER_PATTERNS: [RegExp, string][] = [
  [/^found\.\d{3}$/, SYSTEM],
  [/^network recycle bin \d+$/, TRASH],
  [/^recycle bin - volume_\d+$/, TRASH],
  [/^_nas_recycle_/, TRASH],
  [/^\$windows\.~/, SYSTEM],
  [/\.lrdata$/, PROGRAM],
];
const FILE_PATTERNS: [RegExp, string][] = [
  [/^synofile_thumb_/, THUMBNAILS],
  [/@syno(eastream|resource)$/, SYSTEM],
  [/^albumart(small|_\{[0-9a-f-]+\}_(small|large))\.jpg$/, THUMBNAILS],
  [/^~\$/, PROGRAM],
  // Small copies of Insta360, with the ending of the large files.
  [/^lrv_\d{8}_\d{6}_.*\.(mp4|insv)$/, CAMERA],
  // Thumbnails, small copies, edits, indexes and positions.
  [/\.(thm|lrv|lrf|glv|aae|mrk|ctg|cpi|clpi|mpl|mpls|bdm|bdmv|tdt|tid|bnp|moi|modd|moff|ifo|bup)$/, CAMERA],
  // Raw developers and viewers write one for each picture.
  [/\.(xmp|pp3|dop|on1|nksc|vrd|dr4|jbf)$/, PROGRAM],
  // Google Takeout describes each file in another, and cuts the name at 46 characters.
  [/\.(jpe?g|png|gif|webp|heic|mp4|mov|avi|m4v|3gp)(\.s[a-z-]*)?(\(\d+\))?\.json$/, PROGRAM],
];
/** These belong to a camera only in the folder on the left. */
const CARD_FOLDERS: Record<string, string[]> = {
  m4root: ["sub", "general"],
  xdroot: ["sub", "general"],
  contents: ["icon", "proxy", "voice"],
};

interface Entry {
  name: string;
  isFolder: boolean;
  parent: string;
  siblings: string[];
}

/** System files, trash and thumbnails of desktops, NAS and cameras. */
export function whyPassedOver({ name, isFolder, parent, siblings }: Entry): string | null {
  const own = fold(name);
  if (own.startsWith(".")) return "hidden, its name begins with a dot";
  const [names, patterns] = isFolder ? [FOLDERS, FOLDER_PATTERNS] : [FILES, FILE_PATTERNS];
  const named = Object.keys(names).find((reason) => names[reason]?.includes(own));
  if (named) return named;
  const matched = patterns.find(([pattern]) => pattern.test(own));
  if (matched) return matched[1];
  const isBesideDcim = own === "misc" && siblings.some((sibling) => fold(sibling) === "dcim");
  return isFolder && (isBesideDcim || CARD_FOLDERS[fold(parent)]?.includes(own)) ? CAMERA : null;
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
