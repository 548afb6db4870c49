/** The person has asked the browser to load less; it may change while the page is open. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
