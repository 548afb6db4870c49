module.exports = {
  plugins: {
    "postcss-preset-mantine": {},
    "postcss-simple-vars": { variables: { "mantine-breakpoint-lg": "62em" } },
  },
};
