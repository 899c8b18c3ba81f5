-- Limits that hold for the whole deployment, whichever program a request names: how often a thing was done, by phone, address,
-- merchant, or all together. `key_hash` is an HMAC of the limit and of whom it counts, so it leads no program and refers to
-- nothing; on several servers the table is spread by it. `counts[i]` happened up to `times[i]`. A row is written by short
-- transactions of its own, never by those of a program's data. From `kept_until` on, by the machine's clock, it counts nothing.
create table limit_counter (
  key_hash    bytea          not null,
  times       timestamptz[]  not null,
  counts      integer[]      not null,
  kept_until  timestamptz    not null,
  constraint limit_counter_pkey primary key (key_hash),
  constraint limit_counter_size_check check (cardinality(times) = cardinality(counts) and cardinality(times) between 1 and 200)
);

create index limit_counter_kept_idx on limit_counter (kept_until);

-- Invitations of one merchant that have to wait for its limit are found without those of others.
create index sms_queue_merchant_idx on sms_queue (program_id, merchant_id, due_at) where state = 'due';
