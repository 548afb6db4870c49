import { createElement, Fragment, type ReactNode } from "react";
import styles from "./prose.module.css";
import type { Prose } from "./prose.ts";

export function ProseView({ prose }: { prose: Prose[] }) {
  return <div className={styles.prose}>{elements(prose)}</div>;
}

function elements(prose: Prose[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes its order.
  return prose.map((part, index) => <Fragment key={index}>{element(part)}</Fragment>);
}

function element(part: Prose): ReactNode {
  if (typeof part === "string") return part;
  if (part.tag === "a") return <a href={part.href}>{elements(part.children)}</a>;
  if (part.tag === "hr" || part.tag === "br") return createElement(part.tag);
  return createElement(part.tag, null, elements(part.children));
}
