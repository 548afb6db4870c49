/** Only the paths of the route files: "../../routes/content.video.$slug.tsx". */
const FILES = Object.keys(import.meta.glob("../../routes/*.{ts,tsx}"));
const WITHOUT_ROUTE: Pattern[] = [["assets", "$"], ["metrics"]];
export const UNKNOWN = "/*";

/** A segment that begins with "$" matches any, "$" alone all that follow, even none. */
type Pattern = string[];

const PATTERNS: Pattern[] = [...WITHOUT_ROUTE, ...FILES.flatMap(patternsOfFile)]
  .filter((pattern) => pattern[0] !== "$")
  // Static segments win over parameters, as in the router.
  .sort((a, b) => countParameters(a) - countParameters(b));

/** "/content/video/$slug", or "/*" for an unknown path: never user input. */
export function routePattern(path: string): string {
  const isData = path.endsWith(".data");
  const segments = path
    .slice(0, isData ? -".data".length : undefined)
    .split("/")
    .filter((segment, index) => segment !== "" && !(index === 1 && segment === "_root"));
  const pattern = PATTERNS.find((one) => matches(one, segments));
  return pattern === undefined ? UNKNOWN : `/${pattern.join("/")}${isData ? ".data" : ""}`;
}

/** The ids of the routes at a pattern, such as a layout and its index; none of an unknown path. */
export function routesAt(pattern: string): string[] {
  const page = pattern.replace(/\.data$/, "");
  return FILES.filter((file) => patternsOfFile(file).some((one) => `/${one.join("/")}` === page)).map(
    (file) => `routes/${nameOfFile(file)}`,
  );
}

function matches(pattern: Pattern, segments: string[]): boolean {
  const isOpen = pattern.at(-1) === "$";
  if (isOpen ? segments.length < pattern.length - 1 : segments.length !== pattern.length) return false;
  return pattern.every(
    (part, index) => part.startsWith("$") || part.toLowerCase() === segments[index]?.toLowerCase(),
  );
}

/**
 * Follows @remix-run/fs-routes: dots separate segments, brackets quote, a last underscore leaves a layout. A last segment in
 * parentheses is optional.
 */
function patternsOfFile(file: string): Pattern[] {
  const name = nameOfFile(file);
  const [, required = name, optional] = /^(.*)\.\((.*)\)$/.exec(name) ?? [];
  return [required, ...(optional ? [`${required}.${optional}`] : [])].map(patternOfName);
}

function patternOfName(name: string): Pattern {
  return name
    .split(/\.(?![^[]*\])/)
    .filter((segment) => segment !== "_index")
    .map((segment) => segment.replace(/_$/, "").replace(/[[\]]/g, ""));
}

function nameOfFile(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.tsx?$/, "");
}

function countParameters(pattern: Pattern): number {
  return pattern.filter((part) => part.startsWith("$")).length;
}
