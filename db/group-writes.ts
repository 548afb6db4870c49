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

const MAX_AT_ONCE = 100;
/** Postgres error classes for invalid values and violated constraints, and its code for a deadlock. */
const OF_ONE_ITEM = ["22", "23", "40P01"];

/**
 * Returns a function that writes one item. What arrives while a statement is under way is written by the next one, so that
 * many requests at once cost few statements. Each resolves after the commit of its own item.
 */
export function groupWrites<Item, Result>({ write, keyOf }: Group<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) void writeWaiting();
    });

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await writeTogether(takeGroup());
    isWriting = false;
  }

  function takeGroup(): Waiting<Item, Result>[] {
    const group = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (group.size === MAX_AT_ONCE || group.has(key)) later.push(one);
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
      if (group.length > 1 && isOfOneItem(error)) for (const one of group) await writeTogether([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}

/** Such an item must not fail the others. */
function isOfOneItem(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  const found = cause?.code ?? code ?? "";
  return OF_ONE_ITEM.some((start) => found.startsWith(start));
}
