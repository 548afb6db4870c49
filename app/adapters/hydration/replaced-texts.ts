// Needed because React 18 writes into texts that a translator has replaced: decision 129.

/** A part of React's own record of a node. */
interface Fiber {
  return: Fiber | null;
  tag: number;
  /** The record before or after the last update. */
  alternate: Fiber | null;
  memoizedProps: unknown;
}

/** React's tag of the root. */
const ROOT = 3;
/** By emptied text: the node that a translator shows instead. */
const standIns = new WeakMap<Node, ChildNode>();
const replaced = new WeakMap<Node, { text: Text; words: string }>();

/** https://github.com/facebook/react/issues/11538: React would write into a text that nobody sees, and fail when it removes it. */
export function keepReplacedTexts(): void {
  const observer = new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
    for (const record of records) {
      if (record.type === "characterData" && (record.target as Text).data) {
        removeStandIn(record.target);
        removeOtherParts(record.target as Text, record.oldValue ?? "");
      }
      const near = [...record.addedNodes, record.previousSibling, record.nextSibling];
      const other = near.find(
        (node) => node && added.has(node) && node.parentNode === record.target && !fiberOf(node),
      );
      for (const node of record.removedNodes) {
        if (node.parentNode !== record.target) followRemoval(node, (other ?? null) as ChildNode | null);
      }
    }
  });
  observer.observe(document, { childList: true, subtree: true, characterDataOldValue: true });
}

function followRemoval(node: Node, other: ChildNode | null): void {
  const original = replaced.get(node);
  if (original) {
    restoreText(node, original);
    if (other) putBack(original.text, other);
  } else if (node instanceof Text && fiberOf(node)) {
    const shown = standIns.get(node) ?? other;
    if (!isMounted(node)) removeStandIn(node);
    else if (shown?.isConnected) putBack(node, shown);
  }
}

export function standIn(text: Text, other: ChildNode): void {
  const words = text.data || replaced.get(other)?.words || "";
  standIns.set(text, other);
  replaced.set(other, { text, words });
  text.data = "";
}

function putBack(text: Text, other: ChildNode): void {
  // Some translators move the text into their element.
  if (other.contains(text)) text.replaceWith(text.data);
  other.before(text);
  standIn(text, other);
}

function removeStandIn(text: Node): void {
  const other = standIns.get(text);
  if (!other) return;
  standIns.delete(text);
  replaced.delete(other);
  other.remove();
}

/** An extension has moved part of the words into a link or a mark. They go when React writes new words. */
function removeOtherParts(text: Text, part: string): void {
  const fiber = fiberOf(text);
  const versions = [fiber?.memoizedProps, fiber?.alternate?.memoizedProps];
  const isFromReact = versions.includes(text.data);
  const words = versions.find((version) => version !== text.data);
  if (!isFromReact || typeof words !== "string" || part === words) return;
  if (words.startsWith(part)) removeOthers(text, "nextSibling");
  else if (words.endsWith(part)) removeOthers(text, "previousSibling");
}

function removeOthers(text: Text, side: "nextSibling" | "previousSibling"): void {
  for (let node = text[side]; isOthers(node); node = text[side]) node.remove();
}

function isOthers(node: Node | null): node is Element | Text {
  return (node instanceof Element || node instanceof Text) && !fiberOf(node);
}

function restoreText(other: Node, { text, words }: { text: Text; words: string }): void {
  standIns.delete(text);
  replaced.delete(other);
  if (text.data === "") text.data = words;
}

function isMounted(node: Node): boolean {
  let fiber = fiberOf(node);
  while (fiber?.return) fiber = fiber.return;
  return fiber?.tag === ROOT;
}

/** React stores it on its nodes under a random name. */
export function fiberOf(node: Node): Fiber | undefined {
  const key = Object.keys(node).find((name) => name.startsWith("__reactFiber$"));
  return key === undefined ? undefined : (node as unknown as Record<string, Fiber>)[key];
}
