-- Answered requests of merchants, as their dashboard lists them: nothing that a person wrote. `more` counts the requests
-- like this one that have no row of their own. The id is a UUIDv7 of the request's arrival. Rows are only added and purged.
create table request_log (
  program_id   bigint   not null,
  request_id   uuid     not null,
  merchant_id  bigint   not null,
  method       text     not null,
  route        text     not null,
  order_uuid   uuid,
  status       smallint not null,
  duration_ms  integer  not null,
  failure      text,
  fields       json,
  body_bytes   integer,
  body         json,
  more         integer  not null,
  constraint request_log_pkey primary key (program_id, request_id),
  constraint request_log_more_check check (more >= 0)
);
create index request_log_merchant_idx on request_log (program_id, merchant_id, request_id);
create index request_log_route_idx on request_log (program_id, merchant_id, route, request_id);
create index request_log_failed_idx on request_log (program_id, merchant_id, request_id) where status >= 400;

-- Which changes of the audit log are about a merchant: itself, its orders, its webhooks, its team. A table of its own,
-- because an index on a new column of the audit log would be built while everybody waits.
create table merchant_audit (
  program_id   bigint not null,
  merchant_id  bigint not null,
  audit_id     uuid   not null,
  constraint merchant_audit_pkey primary key (program_id, merchant_id, audit_id)
);
