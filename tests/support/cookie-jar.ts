import type { Site } from "./site.ts";

/** The cookies and forms of a browser without JavaScript. */
export class Jar {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly site: Pick<Site, "origin" | "fetch">,
    private readonly headers: Record<string, string> = {},
  ) {}

  set(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  get(name: string): string | undefined {
    return this.cookies.get(name);
  }

  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async visit(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.site.fetch(path, {
      ...init,
      headers: { ...this.headers, Cookie: this.header(), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.store(line);
    return response;
  }

  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.visit(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Origin: this.site.origin, ...headers },
    });
  }

  private store(line: string): void {
    const [pair = ""] = line.split(";", 1);
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1));
  }
}
