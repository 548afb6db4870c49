import type { ReactNode } from "react";
import type { ShellUser } from "./account-menu.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import styles from "./shell.module.css";

interface ShellProps {
  siteName: string;
  year: number;
  user: ShellUser | null;
  children: ReactNode;
}

/** Header, page, footer. */
export function Shell({ siteName, year, user, children }: ShellProps) {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <Header siteName={siteName} user={user} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer siteName={siteName} year={year} />
      {/* Nothing is painted before it is there: see the root. */}
      <div id="end" hidden />
    </>
  );
}
