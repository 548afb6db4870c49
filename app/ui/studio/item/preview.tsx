import { Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { useBroughtIntoView } from "#app/ui/forms/brought-into-view.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import "#app/ui/theme/mantine.css";
import { KeptPreview } from "../part-form.tsx";
import styles from "./item.module.css";

export function Preview({ label = "Preview", children }: { label?: string; children: ReactNode }) {
  const shown = useBroughtIntoView<HTMLElement>(true);
  return (
    <section ref={shown} className={styles.preview} aria-label={label}>
      <p className={styles.muted}>Preview, not saved yet</p>
      <KeptPreview />
      {children}
    </section>
  );
}

export function ProsePreview({ prose }: { prose: Prose[] | undefined }) {
  return (
    prose !== undefined && (
      <Preview>
        <ProseView prose={prose} />
      </Preview>
    )
  );
}

interface MarkdownFieldProps {
  section: string;
  name: string;
  label: string;
  value: string;
  maxLength: number;
  error: string | undefined;
  preview: Prose[] | undefined;
}

export function MarkdownField({
  section,
  name,
  label,
  value,
  maxLength,
  error,
  preview,
}: MarkdownFieldProps) {
  const what = label.toLowerCase();
  return (
    <>
      <Textarea
        id={`${section}-${name}`}
        name={name}
        label={label}
        description="Markdown: **bold**, *italic*, lists with a dash, an empty line between paragraphs."
        defaultValue={value}
        maxLength={maxLength}
        error={error}
        rows={8}
        size="md"
      />
      {preview !== undefined && (
        <Preview label={`Preview of the ${what}`}>
          {preview.length > 0 ? <ProseView prose={preview} /> : <p>There is no {what}.</p>}
        </Preview>
      )}
    </>
  );
}
