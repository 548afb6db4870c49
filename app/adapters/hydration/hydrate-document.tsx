// Needed because React 18 replaces the whole document when an extension has changed it: decision 129.

import { type ReactNode, StrictMode, startTransition, useLayoutEffect, useSyncExternalStore } from "react";
import { hydrateRoot } from "react-dom/client";
import { type ExpectedNodes, showAllNodes, showOwnNodes } from "./own-nodes.ts";

/** The errors of a failed attempt, in the built site and in development. */
const MISMATCH = /React error #4(?:18|2[235])\b|hydrat|Text content does not match/i;
/** Otherwise a page that changes during each attempt would never start. */
const MAX_REPAIRS = 3;

let isHydrated = false;
let repairs = 0;
let begin = () => {};

export function hydrateDocument(app: ReactNode): void {
  const heldBack: Parameters<typeof document.addEventListener>[] = [];
  const { error: print } = console;
  // Remix renders and prints the error of each attempt.
  console.error = (...parts) => {
    if (!(parts[0] instanceof Error && MISMATCH.test(parts[0].message))) print(...parts);
  };
  begin = () => {
    console.error = print;
    for (const listener of heldBack) document.addEventListener(...listener);
  };
  // A click or a key would make React hydrate at once, without a pause for a repair.
  document.addEventListener = (...listener: (typeof heldBack)[number]) => void heldBack.push(listener);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Hydration>{app}</Hydration>
      </StrictMode>,
      {
        onRecoverableError(error) {
          if (repairs > MAX_REPAIRS) reportError(error);
        },
      },
    );
  });
  Reflect.deleteProperty(document, "addEventListener");
}

/** The server also renders the application beside one empty child, so that React derives the same ids. */
function Hydration({ children }: { children: ReactNode }) {
  // React asks for the second value while it takes over the server's nodes.
  const hasServersNodes = useSyncExternalStore(
    () => () => {},
    () => isHydrated,
    () => true,
  );
  useLayoutEffect(() => {
    isHydrated = true;
    showAllNodes();
    begin();
  }, []);
  if (!hasServersNodes) repairs += 1;
  const expected = hasServersNodes || repairs > MAX_REPAIRS ? null : recordNodes();
  return (
    <>
      {children}
      {expected && <Repair expected={expected} />}
    </>
  );
}

/** Comes after the application has made its new nodes. Suspending keeps them out of the page. */
function Repair({ expected }: { expected: ExpectedNodes }): null {
  restoreMethods();
  try {
    showOwnNodes(expected, { addsMissing: repairs === 1 });
  } catch (error) {
    // A thrown error would leave an empty page. Instead React shows the new nodes.
    repairs = MAX_REPAIRS + 1;
    reportError(error);
    return null;
  }
  throw Promise.resolve();
}

/** The nodes that React makes next belong to no page, so that they load no picture or video. */
function recordNodes(): ExpectedNodes {
  const apart = document.implementation.createHTMLDocument("");
  const made = new Set<Node>();
  for (const method of METHODS) {
    const record = (...args: unknown[]) => {
      const node: Node = Reflect.apply(apart[method], apart, args);
      made.add(node);
      return node;
    };
    Object.assign(document, { [method]: record });
  }
  // The application may fail before it is complete.
  queueMicrotask(restoreMethods);
  return made;
}

const METHODS = ["createElement", "createElementNS", "createTextNode"] as const;

function restoreMethods(): void {
  for (const method of METHODS) Reflect.deleteProperty(document, method);
}
