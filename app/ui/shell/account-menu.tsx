import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import type { SessionUser } from "#app/ui/session/user-context.tsx";
import styles from "./header.module.css";
import { useMenu } from "./use-menu.ts";

export function AccountMenu({ user }: { user: SessionUser }) {
  const menu = useMenu();
  return (
    <details ref={menu} className={styles.account}>
      <summary className={styles.avatarButton}>
        <Avatar url={user.avatarUrl} initials={user.initials} />
        <VisuallyHidden>Your menu, {user.name}</VisuallyHidden>
      </summary>
      <div className={styles.accountPanel}>
        <div className={styles.who}>
          <p className={styles.name}>{user.name}</p>
          <p className={styles.email}>{user.email}</p>
        </div>
        <ul>
          <li>
            <SiteLink to={paths.account()}>Your Account</SiteLink>
          </li>
          <li>
            <SiteLink to={paths.favorites()}>Favorites</SiteLink>
          </li>
          <li>
            <SiteLink to={paths.history()}>History</SiteLink>
          </li>
          {user.rights.length > 0 && (
            <li>
              <SiteLink to={paths.studio()}>Studio</SiteLink>
            </li>
          )}
          <li className={styles.signOut}>
            <Form method="post" action={paths.signOut()}>
              <button type="submit">Sign out</button>
            </Form>
          </li>
        </ul>
      </div>
    </details>
  );
}

interface AvatarProps {
  url: string | null;
  initials: string;
}

function Avatar({ url, initials }: AvatarProps) {
  if (url) return <img className={styles.avatar} src={url} alt="" width={36} height={36} />;
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initials}
    </span>
  );
}
