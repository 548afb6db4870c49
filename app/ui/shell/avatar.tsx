import styles from "./avatar.module.css";

interface AvatarProps {
  /** Null shows the initials. */
  url: string | null;
  initials: string;
}

/** Decoration beside the name it belongs to. */
export function Avatar({ url, initials }: AvatarProps) {
  if (url) return <img className={styles.avatar} src={url} alt="" width={36} height={36} />;
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initials}
    </span>
  );
}
