/** The package types only its index, which loads 6,000 icons. */
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  const drawing: import("@tabler/icons-react").Icon;
  export default drawing;
}
