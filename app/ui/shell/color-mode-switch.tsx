import { useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { Theme, useTheme } from "remix-themes/build/theme-provider.js";
import { paths } from "#app/paths.ts";
import { MoonIcon, SunIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./header.module.css";

export function ColorModeSwitch() {
  const [theme, setTheme] = useTheme();
  const { pathname, search } = useLocation();
  const other = theme === Theme.DARK ? Theme.LIGHT : Theme.DARK;

  function switchAtOnce(event: FormEvent) {
    // Without cookies the next page would lose the mode. The form's answer says so.
    if (!navigator.cookieEnabled) return;
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
