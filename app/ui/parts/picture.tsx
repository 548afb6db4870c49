import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";

interface PictureProps {
  picture: PictureView;
  sizes: string;
  priority?: boolean;
  className?: string | undefined;
}

export function Picture({ picture, sizes, priority = false, className }: PictureProps) {
  const { alt, width, height, color, url, version, widths, formats } = picture;
  const better = formats.slice(0, -1);
  const [format = "webp"] = formats.slice(-1);
  const query = version === undefined ? "" : `?v=${version}`;
  const file = (size: number | undefined, of: string) => `${url}-${size}.${of}${query}`;
  const files = (of: string) => widths.map((size) => `${file(size, of)} ${size}w`).join(", ");
  return (
    <picture>
      {better.map((of) => (
        <source key={of} type={`image/${of}`} srcSet={files(of)} sizes={sizes} />
      ))}
      <img
        className={className}
        srcSet={files(format)}
        sizes={sizes}
        src={file(widths[0], format)}
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
