#!/bin/sh
# Makes the passwords, the connection strings and the secret key for compose.yaml. Keeps what is there: a database that
# exists opens under its own passwords and its own key alone.
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/secrets
mkdir -p -m 0700 "$folder"
cd "$folder"

# Writes standard input to a new file. The containers' users read it; the folder keeps others on this machine out.
keep() {
  # Read it in any case: a program whose output nobody reads complains.
  if [ -e "$1" ]; then cat >/dev/null; else cat >"$1.new" && chmod 0444 "$1.new" && mv "$1.new" "$1"; fi
}

for name in postgres_password owner_password service_password secret_key; do
  openssl rand -hex 32 | keep "$name"
done
echo "postgresql://nuqta_owner:$(cat owner_password)@database/nuqta" | keep migration_url
echo "postgresql://nuqta_service:$(cat service_password)@database/nuqta" | keep database_url

for name in sms_key tls.crt tls.key; do
  [ -e "$name" ] || echo "Put $name into $folder" >&2
done
