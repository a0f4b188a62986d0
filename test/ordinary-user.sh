#!/usr/bin/env bash
# Runs a command in a fresh clone as an ordinary user: see --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
bash test/ordinary-user.sh [--packages] [--keep] COMMAND [ARGUMENT...]

Clones HEAD to a folder "my clône/sluice", and runs the command there
  - as an ordinary user: root runs it as the user SLUICE_TEST_USER (sluice-tester), and makes that user if it is missing
  - with umask 077, an empty HOME, the locale C, and no git identity
Ends with the exit code of the command.

  --packages   copy node_modules and the generated database client, so that the command needs no `npm ci`
  --keep       keep the clone, and print its path

Variables of npm (npm_config_*) and proxies reach the command; other variables do not.
TEXT
}

packages=no
keep=no
while [ $# -gt 0 ]; do
  case "$1" in
    --packages) packages=yes ;;
    --keep) keep=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    --)
      shift
      break
      ;;
    -*)
      usage >&2
      exit 2
      ;;
    *) break ;;
  esac
  shift
done
if [ $# -eq 0 ]; then
  usage >&2
  exit 2
fi

root="$(cd "$(dirname "$0")/.." && pwd -P)"
user="$(id -un)"
if [ "$(id -u)" -eq 0 ]; then
  user="${SLUICE_TEST_USER:-sluice-tester}"
  id "$user" >/dev/null 2>&1 || useradd --create-home "$user"
fi

umask 077
folder="$(mktemp -d)"
clone="$folder/my clône/sluice"
leave() {
  if [ "$keep" = yes ]; then printf 'The clone: %s\n' "$clone" >&2; else rm -rf "$folder"; fi
}
trap leave EXIT
mkdir -p "$folder/my clône" "$folder/home"
git clone --quiet --depth 1 "file://$root" "$clone"
if [ "$packages" = yes ]; then
  cp -R "$root/node_modules" "$clone/node_modules"
  cp -R "$root/src/generated" "$clone/src/generated"
fi

as_user=()
if [ "$(id -u)" -eq 0 ]; then
  chown -R "$user:" "$folder"
  as_user=(runuser -u "$user" --)
fi

# Folders that only root may enter would turn "not found" into "permission denied".
path=
while IFS= read -r entry; do
  if "${as_user[@]}" test -x "$entry"; then path="$path${path:+:}$entry"; fi
done < <(tr ':' '\n' <<<"$PATH")
environment=("HOME=$folder/home" "USER=$user" "LOGNAME=$user" "SHELL=/bin/bash" "PATH=$path")
environment+=("LC_ALL=C" "GIT_CONFIG_NOSYSTEM=1")
while IFS= read -r variable; do
  environment+=("$variable")
done < <(env | grep -iE '^(npm_config_[a-z_]+|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)=' || true)

cd "$clone"
"${as_user[@]}" env -i "${environment[@]}" "$@"
