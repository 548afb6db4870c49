export function thumbnailOf(position: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`a[data-photo="${position}"] img`);
}
