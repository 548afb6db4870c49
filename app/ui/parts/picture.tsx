import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";

interface PictureProps {
  picture: PictureView;
  sizes: string;
  priority?: boolean;
  className?: string | undefined;
}

export function Picture({ picture, sizes, priority = false, className }: PictureProps) {
  const { alt, width, height, color, widths, formats } = picture;
  const better = formats.slice(0, -1);
  const [format = "webp"] = formats.slice(-1);
  const files = (of: string) => widths.map((size) => `${pictureFile(picture, size, of)} ${size}w`).join(", ");
  return (
    <picture>
      {better.map((of) => (
        <source key={of} type={`image/${of}`} srcSet={files(of)} sizes={sizes} />
      ))}
      <img
        className={className}
        srcSet={files(format)}
        sizes={sizes}
        src={pictureFile(picture, widths[0], format)}
        alt={alt}
        width={width}
        height={height}
        loading={priority ? "eager" : "lazy"}
        decoding="async"
        style={{ backgroundColor: color }}
      />
    </picture>
  );
}

/** By default in the format that every browser knows. */
export function pictureFile(
  { url, version, formats }: PictureView,
  width: number | undefined,
  format: string | undefined = formats.at(-1),
): string {
  return `${url}-${width}.${format}${version === undefined ? "" : `?v=${version}`}`;
}
