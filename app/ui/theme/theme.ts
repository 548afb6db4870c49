import { createTheme } from "@mantine/core";

/** White on pink 6 has a contrast of 4.6:1. */
const PRIMARY_SHADE = 6;

export const theme = createTheme({
  primaryColor: "pink",
  primaryShade: PRIMARY_SHADE,
  white: "#ffffff",
  black: "#1f1c1a",
  fontFamily: "var(--font-text)",
  headings: { fontFamily: "var(--font-display)" },
  defaultRadius: "sm",
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // What a field is about stands below it, next to its error.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] } },
  },
});
