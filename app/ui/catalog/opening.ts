/** Until the owner writes others. */
export const OPENING = {
  headline: "Video and photography, made slowly.",
  words: "New videos and photo sets from independent creators, in full length and full size, without noise.",
};
