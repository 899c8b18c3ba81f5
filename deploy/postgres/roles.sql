-- Makes the database and its two roles. Run once with psql, as a superuser, with the passwords in the environment:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql -f roles.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

-- The owner of the tables, for migrations.
create role nuqta_owner login password :'owner_password';
-- The service: `nuqta migrate` grants it what it needs. It can add ledger entries, and never change or delete them.
create role nuqta_service login password :'service_password';

create database nuqta owner nuqta_owner encoding 'UTF8' template template0;
revoke all on database nuqta from public;
grant connect on database nuqta to nuqta_service;
