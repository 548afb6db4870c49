import { useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { Theme, useTheme } from "remix-themes/build/theme-provider.js";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { MoonIcon, PeonyMark, SunIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { useUser } from "#app/ui/session/user-context.tsx";
import { AccountMenu } from "./account-menu.tsx";
import styles from "./header.module.css";
import { InlineNavigation, NavigationMenu } from "./navigation.tsx";

export function Header({ siteName }: { siteName: string }) {
  const user = useUser();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <SiteLink to={paths.home()} className={styles.logo}>
          <PeonyMark />
          <span>{siteName || "Home"}</span>
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

function ColorModeSwitch() {
  const [theme, setTheme] = useTheme();
  const { pathname, search } = useLocation();
  const other = theme === Theme.DARK ? Theme.LIGHT : Theme.DARK;

  function switchAtOnce(event: FormEvent) {
    event.preventDefault();
    setTheme(other);
  }

  return (
    <form method="post" action={paths.api.colorMode()} onSubmit={switchAtOnce}>
      <input type="hidden" name="theme" value={other} />
      <input type="hidden" name="next" value={pathname + search} />
      <button type="submit" className={styles.iconButton}>
        {other === Theme.DARK ? <MoonIcon /> : <SunIcon />}
        <VisuallyHidden>{other === Theme.DARK ? "Dark mode" : "Light mode"}</VisuallyHidden>
      </button>
    </form>
  );
}
