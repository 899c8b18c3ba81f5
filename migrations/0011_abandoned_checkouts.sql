-- Checkouts that came to nothing are deleted with their `new` orders, so that nobody fills the disk with a public key.

-- What a checkout takes in the database, about: its rows and index entries, and what its shop sent with it.
alter table checkout_session add column stored_bytes integer not null default 1024;
-- Since when the checkout is kept for good although its order is still `new` and no phone was proven for it: its merchant has
-- changed the order, or money has come for it.
alter table checkout_session add column kept_at timestamptz;
alter table checkout_session add constraint checkout_session_stored_check check (stored_bytes > 0);

update checkout_session s set
  stored_bytes = 1024 + coalesce(octet_length(o.items::text), 0) + coalesce(octet_length(o.metadata::text), 0)
    + coalesce(octet_length(o.shipping_address::text), 0) + octet_length(o.order_number)
    + coalesce(octet_length(s.callback_url), 0) + coalesce(octet_length(s.name), 0)
  from orders o
  where o.program_id = s.program_id and o.order_uuid = s.order_uuid and s.state = 'open' and s.proven_at is null;

-- Orders whose merchant has told of their shipping: each such change fired its event.
update checkout_session s set kept_at = o.updated_at
  from orders o
  where o.program_id = s.program_id and o.order_uuid = s.order_uuid and s.state = 'open' and s.proven_at is null
    and (o.shipping_status <> 'new' or o.label_ar is not null or exists (
      select from event e where e.program_id = s.program_id and e.order_uuid = s.order_uuid
    ));

-- What may be deleted once it has expired, by merchant, the oldest first. An open session is that of a `new` order. The sum
-- of what a merchant's checkouts take is read off this index alone.
create index checkout_session_abandoned_idx on checkout_session (program_id, merchant_id, expires_at, session_uuid)
  include (stored_bytes) where state = 'open' and proven_at is null and kept_at is null;

-- Deleting a payment asks whether a refund names it.
create index order_refund_payment_idx on order_refund (program_id, payment_uuid) where payment_uuid is not null;

-- Translations are forgotten with their thirty days.
create index translation_created_idx on translation (program_id, created_at);
