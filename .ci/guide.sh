# Functions for the script of guide.mjs in a throw-away root: they replace the internet, Debian's PostgreSQL and
# systemd. The rest are the guide's own commands.
# shellcheck shell=bash

declare -A unit_pid
place='before the first block'
ran=0
units=()

step() { place=$1 ran=$((ran + 1)); echo "-- $place"; }
left_out() { echo "-- $1 is left out: it needs a real server"; }

report() {
  local status=$? unit
  [ "$status" -ne 0 ] || return 0
  echo "$place failed with $status"
  for unit in "${units[@]}"; do echo "-- the log of $unit" && tail -n 20 "/run/$unit.log"; done
}
trap report EXIT

# --- the internet

# Clone from the checkout, whatever address the guide shows.
git config --global url.file:///checkout.insteadOf https://git.example.com/nuqta.git
git config --global --add safe.directory '*'

# CI has run `npm ci` already: copy its result instead of downloading everything again. Pass other commands to npm.
npm() {
  if [ "$*" != ci ]; then command npm --offline "$@"; return; fi
  mkdir -p /run/modules/upper /run/modules/work node_modules
  mount -t overlay -o lowerdir=/checkout/node_modules,upperdir=/run/modules/upper,workdir=/run/modules/work overlay node_modules
  cp -a /checkout/dist .
}

# Makes a certificate that clients here trust, where certbot would put one.
issue_certificate() {
  local folder=/etc/letsencrypt/live/$1
  mkdir -p "$folder"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$1" -addext "subjectAltName=DNS:$1" \
    -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/run/openssl.log
  echo "127.0.0.1 $1" >>/etc/hosts
  export CURL_CA_BUNDLE=$folder/fullchain.pem NODE_EXTRA_CA_CERTS=/run/authority.pem
  install -m 0644 "$folder/fullchain.pem" /run/authority.pem
}

# --- Debian's PostgreSQL, at its usual addresses and with its usual rules of who may log in

start_postgres() {
  local bin data=/run/postgresql/data
  bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
  install -d -o postgres /run/postgresql
  (
    cd /
    runuser -u postgres -- "$bin/initdb" -D "$data" -E UTF8 --locale=C.UTF-8 --auth-local=peer --auth-host=scram-sha-256
    runuser -u postgres -- "$bin/pg_ctl" -D "$data" -l /run/postgresql/log -w -s start \
      -o '-c listen_addresses=127.0.0.1 -c unix_socket_directories=/run/postgresql -c fsync=off'
  ) >/run/initdb.log || { cat /run/initdb.log; return 1; }
}

# --- systemd: who runs what, where, with which variables and capabilities

# says UNIT KEY: the values of a unit, one a line.
says() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service"; }

start_unit() {
  local unit=$1 user group capabilities variables command
  user=$(says "$unit" User) group=$(says "$unit" Group)
  capabilities=$(says "$unit" AmbientCapabilities | tr '[:upper:]' '[:lower:]')
  capabilities=-all${capabilities:+,+${capabilities#cap_}}
  mapfile -t variables < <(says "$unit" Environment)
  read -ra command < <(says "$unit" ExecStart)
  (
    cd "$(says "$unit" WorkingDirectory)"
    umask "$(says "$unit" UMask)"
    exec env -i "PATH=$PATH" "${variables[@]}" setpriv --reuid="$user" --regid="$group" --init-groups --no-new-privs \
      --bounding-set="$capabilities" --inh-caps="$capabilities" --ambient-caps="$capabilities" "${command[@]}"
  ) >"/run/$unit.log" 2>&1 &
  unit_pid[$unit]=$!
  units+=("$unit")
}

# Allow a slow machine two minutes, longer than the guide's own command waits.
is_ready() {
  local unit=$1 port
  port=$(says "$unit" Environment | sed -n 's/^NUQTA_METRICS_PORT=//p')
  for _ in $(seq 600); do
    curl --fail --silent --output /dev/null "http://127.0.0.1:$port/readyz" && echo "$unit is ready" && return
    kill -0 "${unit_pid[$unit]}" || return 1
    sleep 0.2
  done
  return 1
}

start_units() {
  local unit
  for unit in "$@"; do start_unit "$unit"; done
  for unit in "$@"; do is_ready "$unit"; done
}

# The customer has the points that the guide says, and every process has lived until now and ends as systemd expects.
end_of_guide() {
  local unit
  place='the points of the first earning'
  nuqta wallet show 0512345678 | grep -E '^available +1995$'
  for unit in "${units[@]}"; do
    place="SIGTERM to $unit"
    kill -TERM "${unit_pid[$unit]}"
    wait "${unit_pid[$unit]}"
    echo "$unit ended with 0 after SIGTERM"
  done
  [ "$ran" -gt 10 ] && [ "${#units[@]}" -gt 0 ] && echo "$ran blocks ran"
}

start_postgres
