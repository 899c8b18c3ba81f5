-- A checkout that a remembered browser confirmed has no code: it may be deleted like those that nobody confirmed, unless points were held.
drop index concurrently if exists checkout_session_unproven_idx;
create index concurrently checkout_session_unproven_idx on checkout_session (program_id, merchant_id, expires_at, session_uuid)
  include (stored_bytes) where state = 'open' and kept_at is null and (proven_at is null or remembered_uuid is not null);
drop index concurrently if exists checkout_session_abandoned_idx;
