/** Whether a person opened this page, as opposed to a script that fetches it or a browser that looks ahead. */
export function isRealNavigation(request: Request): boolean {
  const header = (name: string) => request.headers.get(name);
  return (
    request.method === "GET" &&
    header("sec-fetch-mode") === "navigate" &&
    header("purpose") === null &&
    header("sec-purpose") === null
  );
}
