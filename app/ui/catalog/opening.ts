/** Of the home page, until the owner writes their own. */
export const OPENING = {
  headline: "Video and photography, made slowly.",
  words: "New videos and photo sets from independent creators, in full length and full size, without noise.",
};
