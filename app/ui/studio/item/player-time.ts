/** The seconds at which the player of the section "Chapters" stands, as in "65.2"; null without one. */
export function timeOfPlayer(): string | null {
  const player = document.querySelector<HTMLVideoElement>("#chapters video");
  return player && (Math.floor(player.currentTime * 10) / 10).toFixed(1);
}
