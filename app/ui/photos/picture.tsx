import type { PictureView } from "#app/domain/catalog/card.ts";

interface PictureProps {
  picture: PictureView;
  /** How wide it is shown, as in the sizes attribute. */
  sizes: string;
  /** Above the fold: loaded at once. */
  priority?: boolean;
  className?: string | undefined;
}

export function Picture({ picture, sizes, priority = false, className }: PictureProps) {
  const { alt, width, height, color, sources, src } = picture;
  return (
    <picture>
      {sources.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
      ))}
      <img
        className={className}
        src={src}
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
