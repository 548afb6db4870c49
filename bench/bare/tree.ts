import { Parser } from "htmlparser2";

export type BareNode = string | BareElement;

interface BareElement {
  tag: string;
  props: Record<string, string | true | Record<string, string>>;
  children: BareNode[];
}

export interface BarePage {
  title: string;
  children: BareNode[];
}

/** Elements that show nothing. */
const INVISIBLE = new Set(["script", "style", "template"]);
/** React's names of attributes that it does not write as they are called. */
const REACT_NAMES: Record<string, string> = {
  class: "className",
  for: "htmlFor",
  autofocus: "autoFocus",
  autoplay: "autoPlay",
  formnovalidate: "formNoValidate",
  novalidate: "noValidate",
  playsinline: "playsInline",
  readonly: "readOnly",
};
const BOOLEANS = new Set([
  ...[
    "autoFocus",
    "autoPlay",
    "formNoValidate",
    "noValidate",
    "playsInline",
    "readOnly",
    "checked",
    "controls",
  ],
  ...[
    "default",
    "disabled",
    "hidden",
    "loop",
    "multiple",
    "muted",
    "open",
    "required",
    "selected",
    "download",
  ],
]);

/** Reads all that a page's body shows: elements with their attributes, icons and text. */
export function readPage(html: string): BarePage {
  const page: BarePage = { title: "", children: [] };
  const open: BareElement[] = [];
  let skipped = 0;
  let isInBody = false;
  let isTitle = false;
  const add = (node: BareNode) => (open.at(-1) ?? page).children.push(node);
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag === "body") isInBody = true;
        else if (!isInBody) isTitle = tag === "title";
        else if (skipped > 0 || INVISIBLE.has(tag)) skipped += 1;
        else {
          const element = { tag, props: propsOf(attributes), children: [] };
          add(element);
          open.push(element);
        }
      },
      ontext(text) {
        if (isTitle) page.title += text;
        if (isInBody && skipped === 0) add(text);
      },
      onclosetag(tag) {
        isTitle = false;
        if (tag === "body") isInBody = false;
        else if (skipped > 0) skipped -= 1;
        else if (isInBody) open.pop();
      },
    },
    { lowerCaseTags: false, lowerCaseAttributeNames: false },
  );
  parser.end(html);
  return { ...page, children: joinTexts(page.children) };
}

/** Equal for two pages that show the same. */
export function contentOf(nodes: BareNode[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? node : `<${node.tag}>${contentOf(node.children)}`))
    .join("");
}

function propsOf(attributes: Record<string, string>): BareElement["props"] {
  const props: BareElement["props"] = {};
  for (const [attribute, value] of Object.entries(attributes)) {
    const name = REACT_NAMES[attribute] ?? attribute;
    if (name === "style") props.style = styleOf(value);
    else props[name] = value === "" && BOOLEANS.has(name) ? true : value;
  }
  return props;
}

function styleOf(css: string): Record<string, string> {
  const declarations = css.split(";").filter((part) => part.includes(":"));
  return Object.fromEntries(
    declarations.map((declaration) => {
      const colon = declaration.indexOf(":");
      return [styleName(declaration.slice(0, colon).trim()), declaration.slice(colon + 1).trim()];
    }),
  );
}

function styleName(name: string): string {
  return name.startsWith("--") ? name : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** React separates neighboring texts by comments, which show nothing. */
function joinTexts(nodes: BareNode[]): BareNode[] {
  const joined: BareNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node === "string" && typeof last === "string") joined[joined.length - 1] = last + node;
    else if (typeof node === "string") joined.push(node);
    else joined.push({ ...node, children: joinTexts(node.children) });
  }
  return joined;
}
