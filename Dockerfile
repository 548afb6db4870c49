# syntax=docker/dockerfile:1
# The whole site in one image: web processes, worker and, without DATABASE_URL, a PostgreSQL of its own below /data.

FROM node:24-bookworm-slim AS build
WORKDIR /site
COPY package.json package-lock.json ./
# Not "npm ci": see scripts/start/install.mjs.
RUN npm install --no-save --include=dev --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs

FROM node:24-bookworm-slim AS dependencies
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm install --no-save --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
WORKDIR /site
COPY --from=dependencies /site/node_modules ./node_modules
COPY package.json package-lock.json tsconfig.json ./
COPY app ./app
COPY db ./db
COPY drizzle ./drizzle
COPY scripts ./scripts
COPY --from=build /site/build ./build
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"
CMD ["node", "build/supervisor/supervise.js"]
