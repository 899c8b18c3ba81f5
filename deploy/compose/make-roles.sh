#!/bin/sh
# Runs in the container of PostgreSQL when its volume is empty.
set -eu
OWNER_PASSWORD=$(cat /run/secrets/owner_password)
SERVICE_PASSWORD=$(cat /run/secrets/service_password)
export OWNER_PASSWORD SERVICE_PASSWORD
psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --file /roles.sql
