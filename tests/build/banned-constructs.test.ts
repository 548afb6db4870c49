import ts from "typescript";
import { expect, test } from "vitest";
import { readRootSources, readSources } from "../support/sources/imports.ts";

interface Ban {
  what: string;
  /** Whether a node is such a construct. */
  isOne(node: ts.Node): boolean;
  /** The files that may contain it, each with the number of uses and the reason. */
  allowed: Record<string, [times: number, reason: string]>;
}

const BANS: Ban[] = [
  {
    what: "SQL from text: sql.raw(), .unsafe(), execute() of a string",
    isOne: (node) =>
      (ts.isPropertyAccessExpression(node) &&
        (node.getText() === "sql.raw" || node.name.text === "unsafe")) ||
      (isMethodCall(node, "execute", "query") && node.arguments.some(isText)),
    allowed: {
      "db/migrations/migrate.ts": [1, "runs the files of migrations, which are written for this"],
      "db/adapter/guarded-pool.ts": [
        2,
        "hands on what Drizzle has written, parameters apart; SET LOCAL takes none, and its values are the pool's own",
      ],
      "db/fixed-sql.ts": [1, "a constant of the code, which Drizzle has written and escaped"],
      "db/adapter/guarded-transaction.ts": [1, "the same inside a transaction"],
      "app/domain/announcements/listen.server.ts": [
        4,
        "LISTEN takes no parameters; the channels are constants, and the greeting is a parameter",
      ],
      "scripts/supervisor/check-addresses.ts": [
        2,
        "two constants, which the driver would otherwise prepare by name, where a pooler loses them",
      ],
      "scripts/worker/free-abandoned-jobs.ts": [
        1,
        "the connection is the queue's own; its name is a parameter",
      ],
      "db/server/site-role.ts": [
        3,
        "CREATE, ALTER and GRANT take no parameters; names are constants, the password is hexadecimal",
      ],
    },
  },
  {
    what: "HTML from text: dangerouslySetInnerHTML, innerHTML, outerHTML, insertAdjacentHTML, document.write",
    isOne: (node) =>
      ts.isIdentifier(node) &&
      ["dangerouslySetInnerHTML", "innerHTML", "outerHTML", "insertAdjacentHTML"].includes(node.text),
    allowed: {},
  },
  {
    what: "a shell: exec(), execSync(), shell: true",
    isOne: (node) =>
      (ts.isImportSpecifier(node) &&
        isChildProcess(node.parent.parent.parent.moduleSpecifier) &&
        ["exec", "execSync"].includes((node.propertyName ?? node.name).text)) ||
      isMethodCall(node, "execSync") ||
      (ts.isPropertyAssignment(node) &&
        node.name.getText() === "shell" &&
        node.initializer.kind !== ts.SyntaxKind.FalseKeyword),
    allowed: {},
  },
  {
    what: "code from text: eval(), new Function(), timers with a string",
    isOne: (node) =>
      (ts.isCallExpression(node) && ["eval", "Function"].includes(node.expression.getText())) ||
      (ts.isNewExpression(node) && node.expression.getText() === "Function") ||
      (ts.isCallExpression(node) &&
        /^set(Timeout|Interval)$/.test(node.expression.getText()) &&
        node.arguments[0] !== undefined &&
        isText(node.arguments[0])),
    allowed: {},
  },
  {
    what: "a proxy's headers, which a client can write",
    isOne: (node) =>
      ts.isStringLiteralLike(node) && /^(x-forwarded-.*|forwarded|x-real-ip)$/i.test(node.text),
    allowed: {
      "app/web/request/trusted-proxies.server.ts": [8, "removes them where no proxy is trusted"],
      "app/adapters/readable-request.server.ts": [
        2,
        "refuses a host that no address can hold; the host that Remix compares only ever removes an Origin",
      ],
      "demo/stand-in/control-access.ts": [4, "whoever comes through a proxy needs the key"],
      "app/adapters/email-link.server.ts": [1, "writes this site's own host over whatever was sent"],
      "app/web/request/client-address.server.ts": [1, "counts the trusted proxies from the right"],
      "app/routes/readyz.ts": [1, "counts the proxies of a request by npm run doctor"],
      "app/web/request/same-origin.server.ts": [1, "the same for the host"],
    },
  },
  {
    what: "Math.random(), which can be guessed",
    isOne: (node) => ts.isPropertyAccessExpression(node) && node.getText() === "Math.random",
    allowed: {
      "app/ui/live/live-updates.tsx": [1, "spreads the reads of all browsers"],
      "app/ui/parts/retry-delay.ts": [1, "spreads retries"],
      "app/web/live/event-texts.ts": [1, "spreads retries"],
      "db/adapter/circuit-breaker.ts": [1, "spreads retries"],
      "db/adapter/sockets.ts": [1, "spreads retries"],
      "demo/stand-in/deliveries.ts": [1, "loses events of a stand-in; no secret"],
    },
  },
];

/** Bans the web process's clock, which may be minutes off. Access decisions use the database's clock instead. */
const CLOCK: Ban = {
  what: "the process's own clock: Date.now(), new Date(), Date()",
  isOne: (node) =>
    (ts.isPropertyAccessExpression(node) && node.getText() === "Date.now") ||
    (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) ||
    (ts.isCallExpression(node) && node.expression.getText() === "Date"),
  allowed: {
    "app/web/session/age-cookie.server.ts": [
      2,
      "thirty days that minutes do not matter to; asked where no database answers",
    ],
    "app/root.tsx": [2, "the year in the footer"],
    "app/domain/totals/daily-totals.server.ts": [1, "a year ahead of which changes of clocks are looked up"],
    "app/domain/backup/backup-files.server.ts": [1, "compared with the time of a file"],
    "app/domain/uploads/staged-files.server.ts": [1, "compared with the times of files"],
    "app/domain/media/storage/s3-check.server.ts": [1, "compares this computer's clock with the store's"],
    "app/domain/media/storage/s3-client.server.ts": [
      2,
      "signatures go by the store's clock, which it learns of",
    ],
    "app/domain/media/storage/temporary.server.ts": [
      1,
      "compared with the times of files on the same machine",
    ],
    "app/domain/auth/sign-in.server.ts": [1, "the time in an email"],
    "app/ui/progress/send-progress.ts": [1, "a page's other clock stands still while its computer sleeps"],
    "app/domain/billing/mails/lifecycle-mails.server.ts": [
      1,
      "the day in an email when the provider names none",
    ],
    "app/domain/billing/mails/templates/lifecycle-mails.tsx": [
      3,
      "the day in an email when the provider names none",
    ],
    "app/domain/billing/mails/templates/payment-mails.tsx": [1, "whether a day in a mail lies ahead"],
  },
};

const sources = readSources(["app", "db", "demo", "scripts"]);

test.each(BANS)("nothing uses $what, except where a reason is listed", (ban) => {
  expect(usesOf(ban, [...sources, ...readRootSources()])).toEqual(allowedUses(ban));
});

test("nothing in the site reads its own clock, except where a reason is listed", () => {
  const site = sources.filter(({ fileName }) => fileName.startsWith("app/"));
  expect(usesOf(CLOCK, site)).toEqual(allowedUses(CLOCK));
});

function usesOf(ban: Ban, files: ts.SourceFile[]): Record<string, number> {
  const counts = files.map((file) => [file.fileName, countIn(file, ban)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0).sort());
}

function allowedUses({ allowed }: Ban): Record<string, number> {
  return Object.fromEntries(Object.entries(allowed).map(([file, [times]]) => [file, times]));
}

function countIn(node: ts.Node, ban: Ban): number {
  let count = ban.isOne(node) ? 1 : 0;
  ts.forEachChild(node, (child) => {
    count += countIn(child, ban);
  });
  return count;
}

function isMethodCall(node: ts.Node, ...names: string[]): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    names.includes(node.expression.name.text)
  );
}

function isChildProcess(specifier: ts.Expression): boolean {
  return ts.isStringLiteral(specifier) && /^(node:)?child_process$/.test(specifier.text);
}

/** A string literal, a template, or strings joined by "+". */
function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
  );
}
