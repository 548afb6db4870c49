import { buttonClass } from "#app/ui/button.tsx";
import { DownloadIcon } from "#app/ui/icons.tsx";

interface DownloadsProps {
  sources: { url: string; height: number; bytes: number }[];
}

/** One link for each rendition, with what it costs to fetch. */
export function Downloads({ sources }: DownloadsProps) {
  return sources.map(({ url, height, bytes }) => (
    <a key={url} className={buttonClass("quiet")} href={`${url}?download`} download>
      <DownloadIcon /> Download {height}p ({megabytes(bytes)})
    </a>
  ));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
