# An image of the server, with its own PostgreSQL: docker build --tag millrace . (or buildah, podman)
# Another base must have glibc; BUILD also needs node and npm.
ARG BUILD=node:22-bookworm-slim
ARG BASE=debian:bookworm-slim

FROM ${BUILD} AS build
WORKDIR /srv/millrace
COPY package.json package-lock.json .npmrc ./
COPY src src
COPY sql sql
RUN npm ci --omit=dev --no-audit --no-fund && npm run build \
  && rm -rf node_modules/node/node_modules/*/include node_modules/node/node_modules/*/share \
  && find node_modules/uWebSockets.js/dist/bin -type f \
  ! -name "uws_linux_$(node -p process.arch)_$(node_modules/.bin/node -p process.versions.modules).node" -delete

FROM ${BASE}
# For audio and video; PACKAGES='' leaves it out.
ARG PACKAGES=ffmpeg
RUN if [ -n "${PACKAGES}" ]; then \
  apt-get update && apt-get install -y --no-install-recommends ${PACKAGES} && rm -rf /var/lib/apt/lists/*; fi
RUN useradd --system --uid 970 --user-group --home-dir /var/lib/millrace --shell /usr/sbin/nologin millrace \
  && install -d -o millrace -g millrace -m 0700 /var/lib/millrace
COPY --from=build /srv/millrace /srv/millrace
RUN ln -s /srv/millrace/src/cli/millrace.sh /usr/local/bin/millrace
USER millrace
ENV DATA_DIR=/var/lib/millrace BIND=0.0.0.0
VOLUME /var/lib/millrace
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=2m --interval=30s --timeout=10s CMD ["millrace", "healthy"]
ENTRYPOINT ["millrace"]
CMD ["start"]
