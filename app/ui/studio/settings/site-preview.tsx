import type { CSSProperties } from "react";
import { useBroughtIntoView } from "#app/ui/forms/brought-into-view.ts";
import { PeonyMark } from "#app/ui/parts/peony-mark.tsx";
import { KeptPreview } from "../part-form.tsx";
import styles from "./settings.module.css";

interface Picture {
  src: string;
  width: number;
  height: number;
}

export interface Previewed {
  siteName: string;
  headline: string;
  words: string;
  light: { text: string; fill: string };
  dark: { text: string; fill: string };
  error: string | null;
  logo: Picture | null;
}

/** The top of the home page with unsaved values, in both modes. */
export function SitePreview({ light, dark, ...page }: Previewed) {
  const shown = useBroughtIntoView<HTMLElement>(true);
  return (
    <section ref={shown} aria-label="Preview" className={styles.previews}>
      <p className={styles.muted}>Preview, not saved yet</p>
      <KeptPreview />
      {page.error !== null && <p className={styles.wrong}>{page.error}</p>}
      <PreviewedPage {...page} mode="light" colors={light} />
      <PreviewedPage {...page} mode="dark" colors={dark} />
    </section>
  );
}

interface PreviewedPageProps extends Pick<Previewed, "siteName" | "headline" | "words" | "logo"> {
  mode: "light" | "dark";
  colors: { text: string; fill: string };
}

function PreviewedPage({ siteName, headline, words, logo, mode, colors }: PreviewedPageProps) {
  const accent = { "--color-accent": colors.text, "--color-fill": colors.fill } as CSSProperties;
  return (
    <div className={`${styles.page} ${styles[mode]}`} style={accent}>
      <p className={styles.brand}>
        {logo ? (
          <img {...logo} alt={siteName} />
        ) : (
          <>
            <PeonyMark />
            <span>{siteName}</span>
          </>
        )}
      </p>
      <p className={styles.headline}>{headline}</p>
      <p>{words}</p>
      <p className={styles.samples}>
        <span className={styles.button}>A button</span>
        <span className={styles.link}>A link</span>
        <span className={styles.muted}>{mode === "light" ? "Light mode" : "Dark mode"}</span>
      </p>
    </div>
  );
}
