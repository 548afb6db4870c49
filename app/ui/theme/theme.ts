import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** 0 is lightest. tokens.css has the same values for plain markup; a test compares the two. */
const pink: MantineColorsTuple = [
  "#fff0f6",
  "#ffe0ec",
  "#fdc1d8",
  "#fa9bc0",
  "#f573a6",
  "#ec4d8c",
  "#d92d72",
  "#b91f5e",
  "#95194c",
  "#76153d",
];
const green: MantineColorsTuple = [
  "#eefbf4",
  "#d9f5e5",
  "#b1e9cb",
  "#82daac",
  "#54c88c",
  "#30b271",
  "#1d965b",
  "#177848",
  "#145f3b",
  "#104b2f",
];
const gray: MantineColorsTuple = [
  "#faf8f5",
  "#f3f0ec",
  "#e8e4df",
  "#d9d4ce",
  "#bdb6ae",
  "#857d76",
  "#67615c",
  "#4d4844",
  "#332f2c",
  "#1f1c1a",
];
const dark: MantineColorsTuple = [
  "#ece9e6",
  "#cfcbc7",
  "#aaa6a3",
  "#85817f",
  "#4a494f",
  "#36353c",
  "#25242a",
  "#1a1a1f",
  "#131317",
  "#0d0d10",
];

/** White on pink 6 has a contrast of 4.6:1. */
const PRIMARY_SHADE = 6;

export const theme = createTheme({
  colors: { pink, green, gray, dark },
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
});
