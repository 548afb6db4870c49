import type { ReactNode } from "react";
import { type MediaType, paths } from "#app/paths.ts";
import { PrefetchLink } from "../navigation/site-link.tsx";
import styles from "./media-heading.module.css";

interface MediaHeadingProps {
  type: MediaType;
  title: string;
  description: ReactNode;
  creators: { slug: string; name: string }[];
  tags: { slug: string; name: string }[];
  actions?: ReactNode;
}

export function MediaHeading({ type, title, description, creators, tags, actions }: MediaHeadingProps) {
  return (
    <div className={styles.words}>
      <h1>{title}</h1>
      {creators.length > 0 ? (
        <p className={styles.line}>
          {creators.map(({ slug, name }) => (
            <PrefetchLink key={slug} to={paths.creator(slug)}>
              {name}
            </PrefetchLink>
          ))}
        </p>
      ) : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {description ? <div className={styles.description}>{description}</div> : null}
      {tags.length > 0 ? (
        <ul className={styles.line} aria-label="Tags">
          {tags.map(({ slug, name }) => (
            <li key={slug}>
              <PrefetchLink to={paths.list(type, { tag: slug })}>{name}</PrefetchLink>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
