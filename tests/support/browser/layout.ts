import type { Page } from "@playwright/test";

const TARGET_PX = 24;

/** The layout problems of a page at its current width, one line each. */
export async function problemsOfLayout(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const header = document.querySelector("header")?.getBoundingClientRect();
    const footer = document.querySelector("footer")?.getBoundingClientRect();
    const problems: string[] = [];
    if (scrollWidth > clientWidth) problems.push(`${scrollWidth} px wide: ${widest(clientWidth)}`);
    if (header?.height !== 64) problems.push(`a header of ${header?.height} px`);
    if (!footer?.height || footer.width !== clientWidth) problems.push("no footer as wide as the page");

    const controls = document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary",
    );
    for (const control of controls) {
      const { width, height } = sizeOf(control);
      const isShown = width > 0 && height > 0 && control.checkVisibility({ visibilityProperty: true });
      if (!isShown || isInSentence(control) || (width >= least && height >= least)) continue;
      problems.push(`${width.toFixed(1)} × ${height.toFixed(1)} px: ${control.outerHTML.slice(0, 160)}`);
    }
    return problems;

    function widest(limit: number): string {
      const wide = [...document.body.querySelectorAll("*")].filter(
        (one) => one.getBoundingClientRect().right > limit + 0.5,
      );
      return wide.map(({ tagName, className }) => `${tagName}.${className}`).join(" ");
    }

    /** The size of the clickable area: a card's link covers the card, and a field's label belongs to the field. */
    function sizeOf(control: HTMLElement): { width: number; height: number } {
      const over = getComputedStyle(control, "::after");
      if (over.content !== "none" && over.position === "absolute")
        return { width: Number.parseFloat(over.width), height: Number.parseFloat(over.height) };
      return (control.closest("label") ?? control).getBoundingClientRect();
    }

    /** Links within a sentence are only as high as its line. */
    function isInSentence(control: HTMLElement): boolean {
      if (getComputedStyle(control).display !== "inline") return false;
      return [...(control.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent ?? ""),
      );
    }
  }, TARGET_PX);
}

interface Shift {
  value: number;
  what: string;
}

/** TypeScript's DOM types do not include it yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

/** Must be called before the first page; every later page then records its layout shifts. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        if (entry.hadRecentInput) continue;
        const what = entry.sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 100) : node?.textContent;
          return `${name} from ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
        });
        window.shifts.push({ value: entry.value, what: what.join("; ") });
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
}

/**
 * Scrolls to the end in steps, as a reader does, so that lazy pictures load. Returns the layout shifts since the page
 * was requested.
 */
export async function readToTheEnd(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const step = window.innerHeight / 2;
    for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
      window.scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const shifts = await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve, 100));
      // Chromium once drew no frame of a loaded page for eight minutes: what is not drawn does not move.
      setTimeout(resolve, 10_000);
    });
    return window.shifts;
  });
  return shifts.map(({ value, what }) => `moved by ${value}: ${what}`);
}
