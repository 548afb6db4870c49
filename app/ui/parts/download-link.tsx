import { sizeText } from "#app/sizes.ts";
import { buttonClass } from "./button.tsx";
import { DownloadIcon } from "./icons.tsx";

interface DownloadLinkProps {
  /** Names a file that the viewer may download. */
  url: string;
  /** The name of the size, as in "720p", or "all"; none where there is only one. */
  size?: string;
  bytes: number;
}

/** Without `download`, with which a browser would hide the sentence of a refusal: the file itself says that it is saved. */
export function DownloadLink({ url, size, bytes }: DownloadLinkProps) {
  return (
    <a className={buttonClass("quiet")} href={downloadAddress(url)}>
      <DownloadIcon /> {["Download", size].filter(Boolean).join(" ")} ({sizeText(bytes)})
    </a>
  );
}

export function downloadAddress(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}download`;
}
