import { Writable } from "node:stream";
import type { EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { ErrorIdContext } from "./error-id.tsx";
import { NonceContext } from "./nonce.tsx";

export interface PageToRender {
  url: string;
  context: EntryContext;
  nonce: string;
  /** Set for an error page, which has no scripts. */
  errorId?: string | undefined;
}

export interface RenderedPage {
  html: Buffer<ArrayBuffer>;
  /** Errors in parts of the page; the rest is rendered. */
  errors: unknown[];
}

const TIMEOUT_MS = 6_000;

/** The whole page at once: no part of it waits for another, and a stream of pieces costs a third of the request. */
export function renderPage({ url, context, nonce, errorId }: PageToRender): Promise<RenderedPage> {
  const errors: unknown[] = [];
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <ErrorIdContext.Provider value={errorId}>
          <RemixServer context={context} url={url} nonce={nonce} />
        </ErrorIdContext.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        onAllReady: () => {
          clearTimeout(timer);
          pipe(collector((html) => resolve({ html, errors })));
        },
        onShellError: reject,
        onError: (error) => {
          errors.push(error);
        },
      },
    );
    const timer = setTimeout(abort, TIMEOUT_MS);
    timer.unref();
  });
}

function collector(done: (whole: Buffer<ArrayBuffer>) => void): Writable {
  const parts: Buffer[] = [];
  return new Writable({
    write(part: Buffer, _encoding, next) {
      parts.push(part);
      next();
    },
    final(next) {
      done(Buffer.concat(parts));
      next();
    },
  });
}
