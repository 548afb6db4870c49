// Needed because React 18 fails when an extension has moved one of its elements: decision 129.

import { fiberOf } from "./replaced-texts.ts";

export function tolerateMovedNodes(): void {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const parent = isMoved(this, child) ? child.parentNode : this;
    return parent ? (removeChild.call(parent, child) as Child) : child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(
    this: Node,
    node: Added,
    next: Node | null,
  ): Added {
    return insertBefore.call(
      this,
      node,
      next && isMoved(this, next) ? childAround(this, next) : next,
    ) as Added;
  };
}

/** The child of `parent` that is or contains the node. */
export function childAround(parent: Node, node: Node): Node | null {
  let child: Node | null = node;
  while (child && child.parentNode !== parent) child = child.parentNode;
  return child;
}

function isMoved(parent: Node, child: Node): boolean {
  return child.parentNode !== parent && fiberOf(child) !== undefined;
}
