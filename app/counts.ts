/** "1 file", "3 files", "1,000 files" */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}

export function waitText(seconds: number): string {
  return seconds < 60 ? count(seconds, "second") : count(Math.ceil(seconds / 60), "minute");
}
