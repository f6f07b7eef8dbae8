# Builds Hemiola and keeps the binary alone: docker build -t hemiola . && docker run --rm -v "$PWD:/app" hemiola run app.js
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked --bin hemiola

FROM debian:bookworm-slim
COPY --from=build /source/target/release/hemiola /usr/local/bin/hemiola
COPY LICENSE NOTICE THIRD-PARTY /usr/share/doc/hemiola/
# Nobody in particular: a program has the rights of an ordinary user. Recordings are kept in the home.
RUN useradd --create-home --uid 10001 hemiola && mkdir /app && chown hemiola /app
USER hemiola
WORKDIR /app
ENTRYPOINT ["hemiola"]
CMD ["--help"]
