import { useLoaderData } from "@remix-run/react";
import { createElement, Fragment, type ReactNode } from "react";
import { Page } from "#app/ui/parts/page.tsx";
import type { Prose } from "./markdown.ts";
import styles from "./prose.module.css";

export function ProsePage() {
  const { prose } = useLoaderData<{ prose: Prose[] }>();
  return (
    <Page narrow>
      <ProseView prose={prose} />
    </Page>
  );
}

export function ProseView({ prose }: { prose: Prose[] }) {
  return <div className={styles.prose}>{elements(prose)}</div>;
}

function elements(prose: Prose[]): ReactNode {
  return createElement(Fragment, null, ...prose.map(element));
}

function element(part: Prose): ReactNode {
  if (typeof part === "string") return part;
  if (part.tag === "a") return <a href={part.href}>{elements(part.children)}</a>;
  if (part.tag === "hr" || part.tag === "br") return createElement(part.tag);
  return createElement(part.tag, null, elements(part.children));
}
