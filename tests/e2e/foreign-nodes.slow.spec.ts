import { expect, type Page, test } from "@playwright/test";
import { holdRequests } from "../support/browser/paused-requests.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
import { recordProblems } from "../support/browser/problems.ts";
import { position } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

/** Where extensions, password managers and translators write before a page's own scripts run. */
const WRITINGS = [
  "between head and body",
  "after body",
  "first in head",
  "among the links of head",
  "last in head",
  "first in body",
  "among the parts of body",
  "among the scripts of body",
  "last in body",
  "in a form",
  "beside an input",
  "around an input",
  "a second input",
  "attributes",
  "comments",
  "bare text",
  "translated words",
  "words changed in place",
  "a removed part",
];

declare global {
  interface Window {
    others: Node[];
    kept: Element[];
    translated: [Text, Element][];
  }
}

test("whatever an extension writes before the scripts run, the page, its typed text and the extension's nodes stay", async ({
  page,
}) => {
  await enter(page);
  const problems = recordProblems(page);
  await page.addInitScript(writeIntoPage);
  for (const writing of [...WRITINGS, WRITINGS.join()]) {
    const release = await openBeforeScripts(page, `/signin?writing=${encodeURIComponent(writing)}`);
    const address = page.locator("input[name=email]");
    await address.fill("half-typed@exam");
    await keepAllNodes(page);
    release();
    await untilScriptsRun(page);
    const lost = await lostNodes(page);
    expect.soft(writing === "translated words" ? lost : withoutTranslations(lost), writing).toEqual([]);
    await expect.soft(address, writing).toHaveValue("half-typed@exam");
    await switchColors(page);
    expect.soft(withoutTranslations(await lostNodes(page)), `${writing}, after an update`).toEqual([]);
    expect.soft(problems.splice(0).filter(isNotOfPolicy), writing).toEqual([]);
  }
});

test("a running video keeps playing, whatever extensions write beside it", async ({ page }) => {
  await signInAsNewSubscriber(page);
  await page.goto("/content/video?access=subscriber");
  const heading = page.getByRole("article").first().getByRole("heading").getByRole("link");
  const path = (await heading.getAttribute("href")) ?? "";
  const problems = recordProblems(page);
  await page.addInitScript(writeIntoPage);
  const release = await openBeforeScripts(page, `${path}?writing=${encodeURIComponent(WRITINGS.join())}`);
  const video = page.locator("video");
  await video.evaluate((player: HTMLVideoElement) => player.play());
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  await keepAllNodes(page);
  release();
  await untilScriptsRun(page);
  expect(withoutTranslations(await lostNodes(page))).toEqual([]);
  expect(await position(page)).toBeGreaterThan(1);
  await expect(video).toHaveJSProperty("paused", false);

  const favorite = page.locator("main form button[aria-pressed]").first();
  await favorite.click();
  await expect(favorite).toHaveAttribute("aria-pressed", "true");
  await expect(video).toHaveJSProperty("paused", false);
  await page.locator("header a[href='/']").first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(problems.filter(isNotOfPolicy)).toEqual([]);
});

for (const blocked of ["main article", "main li:has(article)", "footer nav"]) {
  test(`an ad blocker that takes ${blocked} away again and again leaves the page and its links alone`, async ({
    page,
  }) => {
    await enter(page);
    const problems = recordProblems(page);
    await page.addInitScript((selector) => {
      Object.assign(window, { others: [], translated: [] });
      const block = () => document.querySelector(selector)?.remove();
      // Only the first: a blocker knows which one is an advertisement.
      let first: string | null = null;
      new MutationObserver(() => {
        const found = document.querySelector(selector);
        first ??= found?.outerHTML.slice(0, 200) ?? null;
        if (found?.outerHTML.slice(0, 200) === first) block();
      }).observe(document, { childList: true, subtree: true });
    }, blocked);
    const release = await openBeforeScripts(page, "/");
    await page.locator("footer").waitFor({ state: "attached" });
    await keepAllNodes(page);
    release();
    await untilScriptsRun(page);
    expect(await lostNodes(page)).toEqual([]);
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.locator("header a[href='/creators']").first().click();
    await expect(page).toHaveURL(/\/creators$/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => "isSame" in window)).toBe(true);
    expect(problems.filter(isNotOfPolicy)).toEqual([]);
  });
}

/** The style that a test writes is refused; extensions' own are not. */
function isNotOfPolicy(problem: string): boolean {
  return !problem.startsWith("Applying inline style violates");
}

/** How translators show other words for a text. */
const TRANSLATORS: Record<string, (text: Text) => void> = {
  "puts an element in its place": (text) => {
    const font = document.createElement("font");
    font.append(document.createElement("font"));
    font.firstElementChild?.append(text.data.toUpperCase());
    text.parentNode?.insertBefore(font, text);
    text.parentNode?.removeChild(text);
  },
  "moves it into an element": (text) => {
    const font = document.createElement("font");
    text.before(font);
    font.append(text);
    text.data = text.data.toUpperCase();
  },
  "leaves the first part, and puts the others into an element and a text": (text) => {
    const middle = text.splitText(1);
    if (middle.length > 1) middle.splitText(1);
    const mark = document.createElement("mark");
    middle.replaceWith(mark);
    mark.append(middle);
  },
  "puts several nodes in its place": (text) => {
    const other = document.createElement("span");
    other.append(text.data.slice(1));
    text.replaceWith(text.data.slice(0, 1), other, "");
  },
};

test("whatever a translator does to the texts, new words of the page appear, and nothing fails", async ({
  page,
}) => {
  await signInAsNewSubscriber(page, "/user/account");
  const problems = recordProblems(page);
  const menu = page.locator("header details summary").filter({ hasText: /your menu/i });
  for (const [way, translate] of Object.entries(TRANSLATORS)) {
    const everything = `(${translateAll})(${translate})`;
    await page.goto("/user/account");
    await untilScriptsRun(page);
    for (const name of ["Ada", "Grace Hopper"]) {
      await page.evaluate(everything);
      await page.locator("input[name=full_name]").fill(name);
      await page.locator("#profile button[type=submit]").first().click();
      await expect.soft(menu, way).toHaveText(new RegExp(`^\\D*your menu, ${name}$`, "i"));
    }
    await page.evaluate(everything);
    await page.locator("header a[href='/content/video']").first().click();
    await expect(page).toHaveURL(/content\/video/);
    await page.evaluate(everything);
    await switchColors(page);
    await page.evaluate(everything);
    await page.locator("header a[href='/']").first().click();
    await expect(page).toHaveURL(/\/$/);
    await expect.soft(page.getByRole("heading", { level: 1 }), way).toBeVisible();
    expect.soft(problems.splice(0), way).toEqual([]);
  }
});

test("the next page opens, even if an extension has moved or removed elements of this one", async ({
  page,
}) => {
  await enter(page);
  const problems = recordProblems(page);
  await page.goto("/content/video");
  await untilScriptsRun(page);
  await page.evaluate(() => {
    for (const element of document.querySelectorAll(
      "main > *, main article, main section, header summary > *",
    )) {
      const wrapper = document.createElement("div");
      element.replaceWith(wrapper);
      wrapper.append(element);
    }
    document.querySelector("main article")?.remove();
  });
  await page.locator("header a[href='/creators']").first().click();
  await expect(page).toHaveURL(/creators/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Creators");
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await switchColors(page);
  expect(problems).toEqual([]);
});

test("when a translator shows the original again, it is the page's newest", async ({ page }) => {
  await signInAsNewSubscriber(page, "/user/account");
  await untilScriptsRun(page);
  const menu = page.locator("header details summary").filter({ hasText: /your menu/i });
  await expect(menu).toHaveText(/Your menu, User Name/);
  await page.evaluate(() => {
    const walker = document.createTreeWalker(
      document.querySelector("header details") ?? document,
      NodeFilter.SHOW_TEXT,
    );
    const pairs: [Text, Element][] = [];
    while (walker.nextNode()) pairs.push([walker.currentNode as Text, document.createElement("font")]);
    for (const [text, font] of pairs) {
      font.textContent = text.data.toUpperCase();
      text.replaceWith(font);
    }
    window.translated = pairs;
  });
  await expect(menu).toHaveText(/YOUR MENU, USER NAME/);
  await page.evaluate(() => {
    for (const [text, font] of window.translated) font.replaceWith(text);
  });
  await expect(menu).toHaveText(/Your menu, User Name/);
  await page.locator("input[name=full_name]").fill("Ada");
  await page.locator("#profile button[type=submit]").first().click();
  await expect(menu).toHaveText(/Your menu, Ada$/);
});

/** Its source is sent to the page: the policy of the page forbids to make a function there. */
function translateAll(translate: (text: Text) => void): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (/\p{L}/u.test(text.data) && !text.parentElement?.closest("script, style, noscript, font, option"))
      found.push(text);
  }
  for (const text of found) translate(text);
}

async function switchColors(page: Page): Promise<void> {
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  const before = await scheme();
  await page.locator("header form button").first().click();
  await expect.poll(scheme).not.toBe(before);
}

/** Returns when everything was written; the site's scripts wait for the returned function. */
async function openBeforeScripts(page: Page, path: string): Promise<() => void> {
  const release = await holdRequests(page, "**/assets/*.js");
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForFunction(() => window.others !== undefined);
  return release;
}

async function keepAllNodes(page: Page): Promise<void> {
  await page.evaluate(() => {
    // An update replaces Remix's scripts with their preloads, the symbol on the button, and old translations.
    const replaced = "script, link[rel=modulepreload], header svg, header svg *, font, font *";
    window.kept = [...document.querySelectorAll("*")].filter((one) => !one.matches(replaced));
  });
}

/** Words that the page shows anew lose their old translation. */
function withoutTranslations(lost: string[]): string[] {
  return lost.filter((node) => !node.startsWith("<font"));
}

/** The nodes of the page and of the extension that have left the document, as markup. */
function lostNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    return [...(window.kept ?? []), ...(window.others ?? ["the whole window"])]
      .filter((one) => !(one instanceof Node) || !one.isConnected)
      .map((one) => (one instanceof Element ? one.outerHTML.slice(0, 160) : String(one.textContent)));
  });
}

/** Runs in the page as an extension's script does at the start of a document. The names of what it writes stand in the address. */
function writeIntoPage(): void {
  const writings = new URLSearchParams(window.location.search).get("writing")?.split(",") ?? [];
  const others: Node[] = [];
  const make = (name: string, attributes: Record<string, string> = {}) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    others.push(element);
    return element;
  };
  const text = (words: string, Kind: typeof Text | typeof Comment = Text) => {
    const node = new Kind(words);
    others.push(node);
    return node;
  };
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const field = () => find("form input[name=email]");
  const ways: Record<string, () => boolean | undefined> = {
    "between head and body": () => find("body")?.before(make("div")) === undefined,
    "after body": () => {
      document.documentElement.append(make("div"), make("script", { type: "text/plain" }), text("x"));
      return true;
    },
    "first in head": () => {
      find("head")?.prepend(
        make("meta", { name: "darkreader" }),
        make("style", { type: "text/plain" }),
        make("title"),
      );
      return find("head") !== null;
    },
    "among the links of head": () => {
      const link = find("head > link");
      link?.before(make("link", { "data-theirs": "1" }), make("script", { type: "text/plain" }));
      return link !== null;
    },
    "last in head": () =>
      find("head")?.append(make("style", { type: "text/plain" }), make("link", { "data-theirs": "" })) ===
      undefined,
    "first in body": () => {
      find("body")?.prepend(make("div"), make("a"), text("x"), make("header"));
      return true;
    },
    "among the parts of body": () => {
      find("main")?.before(make("main"), make("div"));
      find("footer")?.after(make("div", { hidden: "" }));
      return true;
    },
    "among the scripts of body": () => {
      find("body > script")?.before(make("script", { type: "text/plain" }));
      return true;
    },
    "last in body": () => {
      find("body")?.append(make("div"), make("iframe"), text("x"));
      return true;
    },
    "in a form": () => {
      for (const form of document.querySelectorAll("form")) {
        form.prepend(make("div"), make("input", { type: "hidden", name: "" }));
        form.append(make("span"));
      }
      return true;
    },
    "beside an input": () => {
      field()?.before(make("div", { style: "position: absolute" }));
      field()?.after(make("img"), make("com-extension-icon"));
      return true;
    },
    "around an input": () => {
      const input = field();
      if (!input) return true;
      const wrapper = make("div", { class: "wrapper" });
      input.replaceWith(wrapper);
      wrapper.append(input);
      return true;
    },
    "a second input": () => {
      field()?.before(make("input"));
      return true;
    },
    attributes: () => {
      for (const element of document.querySelectorAll(
        "html, body, main, main div, form, input, button, video",
      )) {
        element.setAttribute("data-theirs", "1");
        element.setAttribute("style", "--theirs: 1");
        element.classList.add("theirs");
      }
      document.documentElement.lang = "de";
      return true;
    },
    comments: () => {
      for (const element of document.querySelectorAll("html, head, body, main, form, form div")) {
        element.prepend(text("theirs", Comment));
        element.append(text("$", Comment), text("/$", Comment));
      }
      return true;
    },
    "bare text": () => {
      for (const element of document.querySelectorAll("main, form, form div, main ul"))
        element.prepend(text("x"));
      return true;
    },
    "translated words": () => {
      for (const node of words()) {
        const font = make("font");
        font.append(make("font"));
        font.firstElementChild?.append(`${node.nodeValue?.toUpperCase()} übersetzt`);
        node.parentNode?.insertBefore(font, node);
        node.remove();
      }
      return true;
    },
    "words changed in place": () => {
      for (const node of words().filter((_, index) => index % 2 === 0)) node.nodeValue = "anders";
      return true;
    },
    "a removed part": () => {
      find("footer nav, footer ul, footer a")?.remove();
      find("main p")?.remove();
      return true;
    },
  };

  function words(): Text[] {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const isPages = !others.includes(node) && !node.parentElement?.closest("script, style, font");
      if (isPages && /\p{L}/u.test(node.data)) found.push(node);
    }
    return found;
  }

  /** These are written while the document is still parsed; the others when it is complete. */
  const early = ["first in head", "among the links of head"].filter((writing) => writings.includes(writing));
  const observer = new MutationObserver(() => {
    for (const [index, writing] of [...early.entries()].reverse()) {
      if (ways[writing]?.()) early.splice(index, 1);
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return;
    observer.disconnect();
    const isLate = (writing: string) => !writing.endsWith("of head") && !writing.startsWith("first in head");
    for (const writing of writings.filter(isLate)) ways[writing]?.();
    window.others = others;
  });
}
