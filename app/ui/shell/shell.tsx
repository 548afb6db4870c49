import type { ReactNode } from "react";
import { Footer } from "./footer.tsx";
import { Header, type Logo } from "./header.tsx";
import styles from "./shell.module.css";

interface ShellProps {
  siteName: string;
  logo: Logo | undefined;
  year: number;
  children: ReactNode;
}

export function Shell({ siteName, logo, year, children }: ShellProps) {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Header siteName={siteName} logo={logo} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer siteName={siteName} year={year} />
      {/* Browsers paint nothing before this element: see root.tsx. */}
      <div id="end" hidden />
    </>
  );
}
