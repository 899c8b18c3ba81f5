-- The outbox: what happened, written in the transaction in which it happened, append-only.
-- event_id is a UUIDv7, so a range of ids is a range of time: partitions by month, forgotten by dropping them.

create table event (
  program_id   bigint      not null,
  event_id     uuid        not null,
  merchant_id  bigint      not null,
  order_uuid   uuid        not null,
  name         text        not null,
  payload      json        not null,
  created_at   timestamptz not null,
  constraint event_pkey primary key (program_id, event_id),
  constraint event_name_check check (name in (
    'approved', 'authorized', 'captured', 'cancelled', 'completed', 'shipping_status_updated', 'refunded', 'auto_refunded'
  ))
) partition by range (event_id);

create index event_order_idx on event (program_id, order_uuid);

-- Catches what no month's partition covers; stays empty while partitions are made ahead.
create table event_default partition of event default;
