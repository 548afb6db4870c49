import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { PeonyMark } from "#app/ui/icons.tsx";
import { useUser } from "#app/ui/session/user-context.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ColorModeSwitch } from "./color-mode-switch.tsx";
import styles from "./header.module.css";
import { InlineNavigation, NavigationMenu } from "./navigation.tsx";

export function Header({ siteName }: { siteName: string }) {
  const user = useUser();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to={paths.home()} className={styles.logo}>
          <PeonyMark />
          <span>{siteName || "Home"}</span>
        </Link>
        <InlineNavigation />
        <div className={styles.tools}>
          <ColorModeSwitch className={styles.iconButton} />
          {user ? (
            <AccountMenu user={user} />
          ) : (
            <Link to={paths.signIn()} className={styles.signIn}>
              Sign in / Sign Up
            </Link>
          )}
          <NavigationMenu />
        </div>
      </div>
    </header>
  );
}
