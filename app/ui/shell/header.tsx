import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { PeonyMark } from "#app/ui/parts/peony-mark.tsx";
import { useUser } from "#app/ui/session/user-context.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ColorModeSwitch } from "./color-mode-switch.tsx";
import styles from "./header.module.css";
import { InlineNavigation, NavigationMenu } from "./navigation.tsx";

export interface Logo {
  src: string;
  width: number;
  height: number;
}

export function Header({ siteName, logo }: { siteName: string; logo: Logo | undefined }) {
  const user = useUser();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <SiteLink to={paths.home()} className={styles.logo}>
          {logo ? (
            <img className={styles.logoPicture} {...logo} alt={siteName || "Home"} />
          ) : (
            <>
              <PeonyMark />
              <span>{siteName || "Home"}</span>
            </>
          )}
        </SiteLink>
        <InlineNavigation />
        <div className={styles.tools}>
          <ColorModeSwitch />
          {user ? (
            <AccountMenu user={user} />
          ) : (
            <SiteLink to={paths.signIn()} className={styles.signIn}>
              Sign in / Sign Up
            </SiteLink>
          )}
          <NavigationMenu />
        </div>
      </div>
    </header>
  );
}
