# syntax=docker/dockerfile:1
# The whole site in one image: nginx, web processes, worker and, without DATABASE_URL, a PostgreSQL of its own below /data.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /site
COPY package.json package-lock.json ./
# Not "npm ci": see scripts/build/install.mjs. Only packages in allowScripts run code while they are installed. The
# optional dependencies are the Node.js that a checkout needs, and the image has it already.
RUN npm pkg delete optionalDependencies \
  && npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm run -s install:scripts
COPY remix.config.js tsconfig.json vite.config.ts ./
COPY scripts/build.mjs ./scripts/
COPY scripts/build ./scripts/build
COPY app ./app
COPY db ./db
COPY public ./public
RUN node scripts/build.mjs site
# The programs come last: a change of the stand-in for Stripe does not build the site again.
COPY . .
RUN node scripts/build.mjs programs

FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /site
COPY package.json package-lock.json ./
# The last four only build the site. Not "npm sbom --omit=dev": it leaves out every package that a development tool needs
# as well, react among them.
RUN npm pkg delete optionalDependencies \
    dependencies.@remix-run/dev dependencies.@remix-run/fs-routes dependencies.@remix-run/route-config dependencies.vite \
  && npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm run -s install:scripts \
  && npm pkg delete devDependencies \
  && npm sbom --sbom-format=cyclonedx --sbom-type=application > sbom.cdx.json
# The build holds what it uses of these, and nothing loads the rest. rate-limiter-flexible
# imports drizzle-orm when it first counts, as an ES module.
RUN rm -rf node_modules/@mantine node_modules/@types node_modules/stripe node_modules/typescript \
  && find node_modules/drizzle-orm -type f ! -name '*.js' ! -name package.json -delete

FROM node:24.21.0-trixie-slim
# ffmpeg's package brings drivers of graphics cards and a compiler for them, 160 MB that nothing here loads.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg nginx libnginx-mod-http-brotli-static rsync tini \
  && dpkg --purge --force-depends libgl1-mesa-dri mesa-libgallium libllvm19 libz3-4 \
  && ffmpeg -version > /dev/null \
  && apt-get clean \
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
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080 FRONT=nginx npm_config_cache=/tmp/npm
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"
# The supervisor waits only for the processes it started; tini also reaps orphans.
ENTRYPOINT ["tini", "--"]
CMD ["node", "build/scripts/supervise.js"]
