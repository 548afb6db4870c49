/** The picture in the page's link to the photo at that position; null where the page does not show it. */
export function thumbnailOf(position: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`a[data-photo="${position}"] img`);
}
