import type { ReactNode } from "react";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import styles from "./shell.module.css";

interface ShellProps {
  siteName: string;
  year: number;
  children: ReactNode;
}

export function Shell({ siteName, year, children }: ShellProps) {
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <Header siteName={siteName} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer siteName={siteName} year={year} />
      {/* Nothing is painted before this element is parsed: see root.tsx. */}
      <div id="end" hidden />
    </>
  );
}
