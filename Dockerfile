# podman build -t headlight . && podman run -it --rm headlight ./headlight demo
FROM debian:13
COPY . /headlight
WORKDIR /headlight
RUN .devcontainer/setup
