import { useLocation } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { PrefetchLink, SiteLink } from "#app/ui/navigation/site-link.tsx";
import { CloseIcon, MenuIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./header.module.css";
import { useMenu } from "./use-menu.ts";

const ENTRIES = [
  { label: "Creators", to: paths.creators(), Entry: PrefetchLink },
  { label: "Videos", to: paths.list("video"), Entry: PrefetchLink },
  { label: "Photos", to: paths.list("photoSet"), Entry: PrefetchLink },
  { label: "Subscribe", to: paths.subscribe(), Entry: SiteLink },
];

export function InlineNavigation() {
  return (
    <nav className={styles.inline} aria-label="Main">
      <Entries />
    </nav>
  );
}

export function NavigationMenu() {
  const menu = useMenu();
  return (
    <details ref={menu} className={styles.menu}>
      <summary className={styles.iconButton}>
        <span className={styles.whenClosed}>
          <MenuIcon size={24} />
        </span>
        <span className={styles.whenOpen}>
          <CloseIcon size={24} />
        </span>
        <VisuallyHidden>Menu</VisuallyHidden>
      </summary>
      <nav className={styles.menuPanel} aria-label="Menu">
        <Entries />
      </nav>
    </details>
  );
}

function Entries() {
  const { pathname } = useLocation();
  return (
    <ul>
      {ENTRIES.map(({ label, to, Entry }) => (
        <li key={to}>
          <Entry to={to} aria-current={isActive(pathname, to) ? "page" : undefined}>
            {label}
          </Entry>
        </li>
      ))}
    </ul>
  );
}

function isActive(pathname: string, entry: string): boolean {
  return pathname === entry || pathname.startsWith(`${entry}/`);
}
