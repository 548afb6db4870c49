import { sizeText } from "#app/sizes.ts";
import { buttonClass } from "./button.tsx";
import { DownloadIcon } from "./icons.tsx";

interface DownloadLinkProps {
  url: string;
  /** "720p" or "all". */
  size?: string;
  bytes: number;
}

/** Without the attribute `download`, which would hide the sentence of a refusal. */
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
