import { buttonClass } from "./button.tsx";
import { DownloadIcon } from "./icons.tsx";

interface DownloadLinkProps {
  /** Names a file that the viewer may download. */
  url: string;
  /** The name of the size, as in "720p", or "all"; none where there is only one. */
  size?: string;
  bytes: number;
}

export function DownloadLink({ url, size, bytes }: DownloadLinkProps) {
  return (
    <a className={buttonClass("quiet")} href={`${url}?download`} download>
      <DownloadIcon /> {["Download", size].filter(Boolean).join(" ")} ({megabytes(bytes)})
    </a>
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
