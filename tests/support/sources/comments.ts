import ts from "typescript";

export interface Comment {
  /** Counted from 1. */
  line: number;
  /** Without its marks, on one line. */
  text: string;
}

/** Every comment of a file, those in JSX included. Line comments below each other are one. */
export function commentsOf(source: ts.SourceFile): Comment[] {
  const found: Comment[] = [];
  let lineAfter = 0;
  for (const range of rangesOf(source)) {
    const raw = source.text.slice(range.pos, range.end);
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const text = (isLine ? raw.slice(2) : raw.slice(2, -2).replace(/^\s*\*/gm, ""))
      .replace(/\s+/g, " ")
      .trim();
    const line = source.getLineAndCharacterOfPosition(range.pos).line + 1;
    const last = found.at(-1);
    if (isLine && last && line === lineAfter) last.text += ` ${text}`;
    else found.push({ line, text });
    lineAfter = isLine ? line + 1 : 0;
  }
  return found;
}

/** The sentences of a text; a colon or semicolon does not begin one. */
export function sentencesOf(text: string): string[] {
  return text.trim().split(/(?<=[.!?]["”)`]?)\s+(?=["“(`]?[A-Z])/);
}

function rangesOf(source: ts.SourceFile): ts.CommentRange[] {
  const byStart = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node) => {
    const children = node.getChildren(source);
    children.forEach(visit);
    // The text of JSX may contain "//" without being a comment.
    if (children.length > 0 || ts.isJsxText(node)) return;
    const leading = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source.text, node.end) ?? [];
    for (const range of [...leading, ...trailing]) byStart.set(range.pos, range);
  };
  visit(source);
  return [...byStart.values()].sort((one, other) => one.pos - other.pos);
}
