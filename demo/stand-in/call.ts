import type { IncomingHttpHeaders } from "node:http";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingHttpHeaders;
}

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}
