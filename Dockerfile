# syntax=docker/dockerfile:1
# The whole site in one image: web processes, worker and, without DATABASE_URL, a PostgreSQL of its own below /data.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /site
COPY package.json package-lock.json ./
# Not "npm ci": see scripts/build/install.mjs. Only packages in allowScripts run code while they are installed.
RUN npm install --no-save --include=dev --ignore-scripts --no-audit --no-fund && npm run -s install:scripts
COPY . .
RUN node scripts/build.mjs

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /site
COPY package.json package-lock.json ./
# Not "npm sbom --omit=dev": it leaves out every package that a development tool needs as well, react among them.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm run -s install:scripts \
  && npm pkg delete devDependencies \
  && npm sbom --sbom-format=cyclonedx --sbom-type=application > sbom.cdx.json

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
WORKDIR /site
COPY --from=dependencies /site/node_modules ./node_modules
COPY --from=dependencies /site/sbom.cdx.json ./
COPY package.json package-lock.json ./
COPY demo/catalogue ./demo/catalogue
COPY drizzle ./drizzle
COPY scripts/run.mjs ./scripts/
COPY --from=build /site/build ./build
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"
# The supervisor waits only for the processes it started; tini also reaps orphans.
ENTRYPOINT ["tini", "--"]
CMD ["node", "build/scripts/supervise.js"]
