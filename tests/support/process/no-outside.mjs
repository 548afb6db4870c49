import dns from "node:dns";

/** Preloaded into a site: no name outside this machine is found, as without a network. */
const lookUp = dns.lookup;
dns.lookup = (name, options, callback) => {
  const done = callback ?? options;
  if (name === "localhost" || /^[\d.]+$|:/.test(name)) return lookUp(name, options, callback);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  process.nextTick(done, error);
};
