import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { importsOf, readSources } from "../sources/imports.ts";

export interface HostileRequest {
  method: string;
  /** The path and query of an address of the site. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Inserts the hostile text at one point of a request. */
export type Field = (given: HostileRequest, unit: string) => HostileRequest;

const HEAD_BYTES = 14_000;
const BODY_BYTES = 60_000;
/** A form with a longer text is refused before anything reads it. */
const FIELD_LENGTH = 2_048;
const BOUNDARY = "x-boundary";
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Each is repeated until its place is full. The character after the last one makes regular expressions backtrack. */
export const UNITS = [
  ...[" ", "a", "/", "../", "a.", "a-", "x@x.", "a=b&", "a=b; ", ";q=0.1", "0-1,", "1.1.1.1, ", "gzip;q=0,"],
  ...["(", "a[0]", '{"a":', '"', "<a ", "%25", "%00", "Mozilla/5.0 (", "Android 1.", "\r\n"],
  ...[`--${BOUNDARY}\r\n`, "\u0301", "\u{1F600}", "İ", "__proto__."],
];

const HEADERS = [
  ...["accept", "accept-encoding", "accept-language", "authorization", "cache-control", "content-encoding"],
  ...[
    "forwarded",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "origin",
    "purpose",
    "range",
  ],
  ...["referer", "sec-fetch-site", "sec-purpose", "stripe-signature", "user-agent", "x-forwarded-for"],
  ...["x-forwarded-host", "x-forwarded-proto", "x-request-id"],
];
const COOKIES = ["session", "adult", "theme", "signin", "came-from"];

/** Long repetitions for code that searches within a text. */
export const RUNS = [" ", "a", "/", "a.", "a-", "x@x.", "\r\n", "[", "%", "\u0301", "\u{1F600}"];

const sources = new Map(readSources(["app"]).map((source) => [source.fileName, source]));
/** Match the notations in which code reads a parameter of the query or a field of a form, or a schema declares it. */
const PARAMETER = /(?<!headers|form|formData|sent)\.get\("([\w-]+)"/g;
const FORM_FIELD =
  /(?:field\(form, |(?<!headers|searchParams|query)\.get\()"([\w-]+)"|^ {2}(\w+): (?:z$|z\.string|line\(|number\.)/gm;
const EVERY_NAME = ["q", "next", "token", "email", "after", "_data", "_routes", "__intent__", "__proto__"];

/** A field or parameter, and the file that reads it. */
interface Reading {
  name: string;
  file: string;
}

/** A GET reads parameters, and a POST reads fields, in the file of the route itself or in one that it imports. */
export function readingsOf({ route, method }: { route: string; method: string }): Reading[] {
  const own = sources.get(`app/${route}.ts`) ?? sources.get(`app/${route}.tsx`);
  if (own === undefined) throw new Error(`${route} has no file`);
  const files = [own, ...importsOf(own).map(({ to }) => (to.endsWith(".ts") ? sources.get(to) : undefined))];
  const readings = files.flatMap((file) =>
    [...(file?.text ?? "").matchAll(method === "GET" ? PARAMETER : FORM_FIELD)].map(([, read, declared]) => ({
      name: read ?? declared ?? "",
      file: file?.fileName ?? "",
    })),
  );
  return readings.filter(({ name }, at) => readings.findIndex((one) => one.name === name) === at);
}

export const FIELDS: Record<string, Field> = {
  path: (given, unit) => ({
    ...given,
    path: `${given.path.split("?")[0]}/${encode(fill(unit, HEAD_BYTES / 3))}`,
  }),
  "start of the path": (given, unit) => ({
    ...given,
    path: `/${encode(fill(unit, HEAD_BYTES / 3))}${given.path}`,
  }),
  "data of a path": (given, unit) => ({
    ...given,
    path: `${given.path.split("?")[0]}/${encode(fill(unit, HEAD_BYTES / 3))}.data`,
  }),
  "data of the page": (given, unit) => ({
    ...given,
    path: withQuery({ ...given, path: `${given.path.split("?")[0]}.data` }, ["x"], unit),
  }),
  "raw path": (given, unit) => ({ ...given, path: fill(unit, HEAD_BYTES, "/").replace(/[^!-~]/g, "/") }),
  "raw query": (given, unit) => ({
    ...given,
    path: `${given.path}?${fill(unit, HEAD_BYTES).replace(/[^!-~]/g, "&")}`,
  }),
  "all parameters": (given, unit) => ({ ...given, path: withQuery(given, EVERY_NAME, unit) }),
  ...Object.fromEntries(HEADERS.map((name) => [`header ${name}`, inHeader(name)])),
  ...Object.fromEntries(COOKIES.map((name) => [`cookie ${name}`, inCookie(name)])),
  "cookie header": (given, unit) => inHeader("cookie")(given, unit),
  "many headers": (given, unit) => ({
    ...given,
    headers: {
      ...given.headers,
      ...Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, printable(unit).slice(0, 8)])),
    },
  }),
  "all fields": (given, unit) =>
    posted(given, FORM, new URLSearchParams(EVERY_NAME.map((name) => [name, fill(unit, 1_000)])).toString()),
  "raw form": (given, unit) => posted(given, FORM, fill(unit, BODY_BYTES)),
  "many fields": (given, unit) => posted(given, FORM, fill(`${encode(unit)}=&`, BODY_BYTES)),
  json: (given, unit) =>
    posted(
      given,
      "application/json",
      `{"event":"SIGNED_IN","theme":"dark","session":${JSON.stringify(fill(unit, BODY_BYTES - 2_000))}}`,
    ),
  "nested arrays": (given) =>
    posted(
      given,
      "application/json",
      `{"event":"SIGNED_IN","theme":${"[".repeat(29_000)}${"]".repeat(29_000)},"session":1}`,
    ),
  "nested objects": (given) =>
    posted(given, "application/json", `${'{"theme":'.repeat(5_000)}1${"}".repeat(5_000)}`),
  "raw json": (given, unit) => posted(given, "application/json", fill(unit, BODY_BYTES)),
  "type of the body": (given, unit) =>
    posted(
      given,
      `multipart/form-data; boundary=${printable(fill(unit, HEAD_BYTES)).trim()}`,
      fill(unit, BODY_BYTES),
    ),
  "raw multipart": (given, unit) => posted(given, MULTIPART, `--${BOUNDARY}\r\n${fill(unit, BODY_BYTES)}`),
  "many parts": (given, unit) =>
    posted(given, MULTIPART, `${part("a", unit).repeat(700)}--${BOUNDARY}--\r\n`.slice(0, 64_000)),
  "name of a part": (given, unit) =>
    posted(given, MULTIPART, `${part(fill(unit, BODY_BYTES), "x")}--${BOUNDARY}--\r\n`),
  "text of a part": (given, unit) =>
    posted(given, MULTIPART, `${part("email", fill(unit, BODY_BYTES))}--${BOUNDARY}--\r\n`),
  "uploaded picture": (given, unit) =>
    posted(
      given,
      MULTIPART,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n\x89PNG\r\n\x1a\n${fill(unit, BODY_BYTES - 2_000)}\r\n--${BOUNDARY}--\r\n`,
    ),
};

/** Sends the request unchanged and waits for the whole response; null when the server hangs up. */
export async function send(
  origin: string,
  { method, path, headers, body }: HostileRequest,
): Promise<number | null> {
  const { hostname, port } = new URL(origin);
  try {
    const sent = request({ hostname, port, method, path, headers, agent: false });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    await once(answer.resume(), "end");
    return answer.statusCode ?? null;
  } catch {
    return null;
  }
}

function fill(unit: string, bytes: number, start = "x"): string {
  const room = Math.floor((bytes - 2) / Buffer.byteLength(unit));
  return `${start}${unit.repeat(Math.max(room, 1))}!`;
}

/** The result is limited to the size of a request's head. */
function encode(text: string): string {
  return encodeURIComponent(text).slice(0, HEAD_BYTES).replace(/%.?$/, "");
}

function printable(text: string): string {
  return text.replace(/[^\t -~]/g, "~").slice(0, HEAD_BYTES);
}

function withQuery({ path }: HostileRequest, names: string[], unit: string): string {
  const room = Math.floor(HEAD_BYTES / names.length);
  const query = names.map(
    (name) => `${encodeURIComponent(name)}=${encode(fill(unit, room)).slice(0, room).replace(/%.?$/, "")}`,
  );
  return `${path}${path.includes("?") ? "&" : "?"}${query.join("&").slice(0, HEAD_BYTES).replace(/%.?$/, "")}`;
}

export function inQuery(name: string): Field {
  return (given, unit) => ({
    ...given,
    path: withQuery({ ...given, path: given.path.split("?")[0] ?? "/" }, [name], unit),
  });
}

function inHeader(name: string): Field {
  return (given, unit) => ({
    ...given,
    headers: { ...given.headers, [name]: printable(fill(unit, HEAD_BYTES)) },
  });
}

function inCookie(name: string): Field {
  return (given, unit) => ({
    ...given,
    headers: {
      ...given.headers,
      cookie: `${given.headers.cookie}; ${name}=${printable(fill(unit, HEAD_BYTES)).slice(0, HEAD_BYTES)}`,
    },
  });
}

export function inField(name: string): Field {
  return (given, unit) => {
    const text = `x${unit.repeat((FIELD_LENGTH - 2) / unit.length)}!`;
    return posted(given, FORM, new URLSearchParams([[name, text]]).toString());
  };
}

function posted(given: HostileRequest, type: string, body: string): HostileRequest {
  return { ...given, method: "POST", headers: { ...given.headers, "content-type": type }, body };
}

function part(name: string, text: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}
