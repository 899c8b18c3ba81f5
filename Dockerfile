# One image for every role: `serve --role api`, `serve --role worker`, `migrate` and the operator's commands. It runs as an
# unprivileged user with a read-only root; /var/lib/nuqta is to be a writable mount, such as a tmpfs. docs/production.md
# says how to use it.
#
# A private npm registry: docker build --secret id=npmrc,src=$HOME/.npmrc .

FROM node:26-slim AS build
WORKDIR /build
COPY . .
# Compiles too, by the script `prepare`.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci

FROM node:26-slim AS modules
WORKDIR /modules
# Without .npmrc, which asks for everything that development needs.
COPY package.json package-lock.json ./
# The optional packages are a Node.js and a PostgreSQL: the image has the one, and DATABASE_URL names the other.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26-slim
ENV NODE_ENV=production \
    NUQTA_ENVIRONMENT=production \
    NUQTA_DATA_DIR=/var/lib/nuqta/data \
    NUQTA_PORT=8443 \
    NUQTA_METRICS_PORT=9464
WORKDIR /opt/nuqta
COPY --from=modules /modules/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY migrations migrations
COPY docs docs
COPY --from=build /build/dist dist
# A tmpfs takes the mode of the folder that it covers, and root owns it.
RUN ln -s /opt/nuqta/bin/nuqta /usr/local/bin/nuqta && install -d -m 1777 /var/lib/nuqta
# The user `node` of the base image, by number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 8443 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.NUQTA_METRICS_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["nuqta"]
CMD ["serve", "--json"]
