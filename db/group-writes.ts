interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  /** Writes all items in one statement. Returns their results in the same order. */
  write: (items: Item[]) => Promise<Result[]>;
  /** Items with the same key go into different statements, in the order of their arrival. */
  keyOf: (item: Item) => string;
}

/** A statement stays short, also after a pause in which thousands have gathered. */
const MAX_AT_ONCE = 100;
/** Postgres error classes for invalid values and violated constraints, and its codes for deadlocks, locks and time limits. */
const OF_SOME_ITEMS = ["22", "23", "40P01", "55P03", "57014"];

/**
 * Returns a function that writes one item, and resolves after its commit. Items that arrive while a statement is under way
 * are written by the next one, so that many requests at once cost few statements.
 */
export function groupWrites<Item, Result>({ write, keyOf }: Group<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;
  /** Keys of items that are written alone, after a group with them has failed. */
  const alone = new Set<string>();

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) void writeWaiting();
    });

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    try {
      for (let group = takeGroup(); group.length > 0; group = takeGroup()) await writeTogether(group);
    } finally {
      isWriting = false;
    }
  }

  function takeGroup(): Waiting<Item, Result>[] {
    const group = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (group.size === MAX_AT_ONCE || group.has(key) || alone.has(key)) later.push(one);
      else group.set(key, one);
    }
    waiting = later;
    return [...group.values()];
  }

  async function writeTogether(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (group.length === 1 || !isOfSomeItems(error)) for (const { reject } of group) reject(error);
      else for (const one of group) void writeAlone(one);
    }
  }

  /** Other groups go on meanwhile, because the item may wait for a lock. */
  async function writeAlone(one: Waiting<Item, Result>): Promise<void> {
    const key = keyOf(one.item);
    alone.add(key);
    await writeTogether([one]);
    alone.delete(key);
    if (!isWriting) void writeWaiting();
  }
}

function isOfSomeItems(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const found = String(cause?.code ?? code ?? "");
  return OF_SOME_ITEMS.some((start) => found.startsWith(start));
}
