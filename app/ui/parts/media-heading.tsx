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
  facts?: string[];
  actions?: ReactNode;
  /** A section beside the words on wide screens, below the title on others. */
  offer?: ReactNode;
}

export function MediaHeading({ type, title, creators, tags, facts = [], ...more }: MediaHeadingProps) {
  const { description, actions, offer } = more;
  return (
    <div className={offer ? `${styles.words} ${styles.offering}` : styles.words}>
      <h1>{title}</h1>
      {creators.length + facts.length > 0 ? (
        <p className={styles.line}>
          {creators.map(({ slug, name }) => (
            <PrefetchLink key={slug} to={paths.creator(slug)}>
              {name}
            </PrefetchLink>
          ))}
          {facts.map((fact) => (
            <span key={fact} className={styles.fact}>
              {fact}
            </span>
          ))}
        </p>
      ) : null}
      {offer}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {description ? <div className={styles.description}>{description}</div> : null}
      {tags.length > 0 ? (
        <ul className={`${styles.line} ${styles.tags}`} aria-label="Tags">
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
