// Needed because React 18 cannot take over a page with unexpected nodes: decision 129.

import { childAround } from "./moved-nodes.ts";
import { standIn } from "./replaced-texts.ts";

export type ExpectedNodes = ReadonlySet<Node>;

type Property = "firstChild" | "nextSibling" | "nodeValue" | "textContent";

const ELEMENT = 1;
const TEXT = 3;
const changed: [Node, Property][] = [];
/** An ad blocker takes an element away again. React then has its own, which is in no page. */
let keepsMissingOut = false;

/**
 * Until `showAllNodes`, scripts see only the nodes that React expects. No other node moves: a moved frame would load again, and
 * an extension would put a removed node back.
 */
export function showOwnNodes(expected: ExpectedNodes, { addsMissing }: { addsMissing: boolean }): void {
  showAllNodes();
  keepsMissingOut = !addsMissing;
  const root = [...expected].findLast(({ nodeName }) => nodeName === "HTML");
  if (root) showChildren(document.documentElement, root, expected);
}

export function showAllNodes(): void {
  for (const [node, property] of changed.splice(0)) Reflect.deleteProperty(node, property);
}

function show(node: Node, property: Property, value: Node | string | null): void {
  if (node[property] === value) return;
  Object.defineProperty(node, property, { value, configurable: true, writable: true });
  changed.push([node, property]);
}

function showChildren(parent: Node, model: Node, expected: ExpectedNodes): void {
  const wanted = [...model.childNodes].filter((node) => isMade(node, expected));
  // The others were set as text or markup. React compares the text as a whole.
  if (wanted.length === 0) {
    show(parent, "textContent", model.textContent);
    if (!model.hasChildNodes()) show(parent, "firstChild", null);
    return;
  }
  const present = [...parent.childNodes].filter(({ nodeType }) => nodeType === ELEMENT || nodeType === TEXT);
  const pairs = pairNodes(wanted, present);
  const paired = new Set(pairs.values());
  let next: Node | null = null;
  let nextChild: Node | null = null;
  let end = present.length;
  for (const node of wanted.toReversed()) {
    const start = present.findLastIndex((other, index) => index < end && paired.has(other));
    const others = present.slice(start + 1, end);
    const found = pairs.get(node) ?? findInside(others, node);
    const translation = found ? undefined : findTranslation(others, node);
    const isLeftOut = !found && keepsMissingOut && node instanceof Element;
    const copy = found ?? document.importNode(node, true);
    const own = found || isLeftOut ? copy : parent.insertBefore(copy, translation ?? nextChild);
    if (translation && own instanceof Text) standIn(own, translation);
    showNode(own, node, next, expected);
    next = own;
    if (isLeftOut) continue;
    nextChild = childAround(parent, own);
    const first = present.findIndex((other) => other === (translation ?? nextChild));
    if (first >= 0) end = first;
  }
  show(parent, "firstChild", next);
}

function showNode(own: Node, model: Node, next: Node | null, expected: ExpectedNodes): void {
  show(own, "nextSibling", next);
  if (model.nodeType === TEXT) show(own, "nodeValue", model.nodeValue);
  else showChildren(own, model, expected);
}

/** React makes its script elements by parsing. */
function isMade(node: Node, expected: ExpectedNodes): boolean {
  return expected.has(node) || node.nodeName === "SCRIPT";
}

/** An extension may have wrapped an element of ours. */
function findInside(others: Node[], model: Node): Node | undefined {
  if (!(model instanceof Element)) return undefined;
  const inside = others.flatMap((node) => (node instanceof Element ? [...node.querySelectorAll("*")] : []));
  return inside.find((node) => likeness(model, node) > 1);
}

/** Translators put elements in the place of texts. */
function findTranslation(others: Node[], model: Node): Element | undefined {
  if (model.nodeType !== TEXT) return undefined;
  return others.findLast((node): node is Element => node instanceof Element && !!node.textContent?.trim());
}

/** The most similar pairs that keep the order of both lists. */
function pairNodes(wanted: Node[], present: Node[]): Map<Node, Node> {
  const alike = wanted.map((node) => present.map((other) => likeness(node, other)));
  /** At [i][j], the best total likeness from i and j on. */
  const most = Array.from({ length: wanted.length + 1 }, () => new Array<number>(present.length + 1).fill(0));
  const at = (table: number[][], i: number, j: number) => table[i]?.[j] ?? 0;
  const whenPaired = (i: number, j: number) => at(alike, i, j) && at(alike, i, j) + at(most, i + 1, j + 1);
  for (let i = wanted.length - 1; i >= 0; i--) {
    const row = most[i] ?? [];
    for (let j = present.length - 1; j >= 0; j--) {
      row[j] = Math.max(whenPaired(i, j), at(most, i + 1, j), at(most, i, j + 1));
    }
  }
  const pairs = new Map<Node, Node>();
  for (let i = 0, j = 0; i < wanted.length && j < present.length; ) {
    const [node, other] = [wanted[i], present[j]];
    if (node && other && at(alike, i, j) > 0 && whenPaired(i, j) === at(most, i, j)) {
      pairs.set(node, other);
      i++;
      j++;
    } else if (at(most, i, j + 1) === at(most, i, j)) j++;
    else i++;
  }
  return pairs;
}

/** Zero for nodes that cannot be the same. Extensions add attributes and classes, and translators change words. */
function likeness(model: Node, other: Node): number {
  if (model.nodeName !== other.nodeName) return 0;
  const isSameText = model.textContent === other.textContent;
  if (!(model instanceof Element && other instanceof Element)) return isSameText ? 2 : 1;
  const names = model.getAttributeNames();
  const same = names.filter((name) => hasSame(model, other, name)).length;
  const isLikely = names.length === 0 || same > 0 || isSameText;
  if (!isLikely && model.childElementCount !== other.childElementCount) return 0;
  return 1 + Number(isSameText) + (2 * same) / (names.length + other.getAttributeNames().length || 1);
}

function hasSame(model: Element, other: Element, name: string): boolean {
  if (name === "class") return [...model.classList].every((one) => other.classList.contains(one));
  return model.getAttribute(name) === other.getAttribute(name);
}
