-- Orders. The CHECKs say what src/domain/order.ts says; a test holds the two against each other.

create table orders (
  program_id         bigint      not null,
  order_uuid         uuid        not null,
  id                 bigint      not null generated always as identity,
  merchant_id        bigint      not null,
  customer_id        uuid,
  type               smallint    not null,
  source             text        not null,
  reference_number   text        not null,
  order_number       text        not null,
  order_status       text        not null,
  total_halalas      bigint      not null,
  total_points       bigint      not null,
  earned_points      bigint      not null default 0,
  shipping_halalas   bigint,
  tax_halalas        bigint,
  discount_halalas   bigint,
  shipping_address   json,
  items              json,
  metadata           json,
  shipping_status    text        not null default 'new',
  label_ar           text,
  label_en           text,
  payment_method     text,
  reason             text,
  refunded_halalas   bigint      not null default 0,
  returned_points    bigint      not null default 0,
  reversed_points    bigint      not null default 0,
  settlement_id      uuid,
  paid_at            timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  constraint orders_pkey primary key (program_id, order_uuid),
  constraint orders_reference_number_key unique (program_id, reference_number),
  constraint orders_merchant_fkey foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint orders_customer_fkey foreign key (program_id, customer_id) references customer (program_id, customer_id),
  constraint orders_source_check check (
    (type = 1 and source in ('purchase', 'product_rating', 'store_rating')) or (type = 2 and source = 'checkout')
  ),
  constraint orders_customer_check check (customer_id is not null or (type = 2 and total_points = 0)),
  constraint orders_status_check check (
    (type = 1 and order_status in ('approved', 'fully_refunded', 'partially_refunded'))
    or (type = 2 and order_status in (
      'new', 'approved', 'authorized', 'captured', 'cancelled', 'fully_refunded', 'partially_refunded'
    ))
  ),
  constraint orders_paid_check check (
    (paid_at is not null)
    = (order_status in ('approved', 'captured', 'fully_refunded', 'partially_refunded'))
  ),
  constraint orders_refunded_check check (
    (order_status = 'fully_refunded' and refunded_halalas = total_halalas)
    or (order_status = 'partially_refunded' and refunded_halalas > 0 and refunded_halalas < total_halalas)
    or (order_status in ('new', 'approved', 'authorized', 'captured', 'cancelled') and refunded_halalas = 0)
  ),
  constraint orders_amounts_check check (
    total_halalas between 0 and 999999999999 and total_points >= 0 and earned_points >= 0
    and shipping_halalas >= 0 and tax_halalas >= 0 and discount_halalas >= 0
  ),
  constraint orders_points_back_check check (
    returned_points >= 0 and reversed_points between 0 and earned_points
    and ((type = 1 and total_points = earned_points and returned_points = 0) or (type = 2 and returned_points <= total_points))
  ),
  constraint orders_shipping_status_check check (
    shipping_status in ('new', 'license_in_progress', 'ready_shipping', 'delivery_is_in_progress', 'delivered', 'cancelled')
  ),
  constraint orders_label_check check ((label_ar is null) = (label_en is null)),
  constraint orders_settlement_check check (settlement_id is null or paid_at is not null)
) with (fillfactor = 85);

-- What deduplicates earnings (decisions §5): purchases by order_number, each rating kind by its review_reference.
create unique index orders_earning_key on orders (program_id, merchant_id, source, order_number) where type = 1;

-- Earnings of customers who have not activated their account; each becomes an order when they do.
create table pending_earning (
  program_id         bigint      not null,
  pending_uuid       uuid        not null,
  id                 bigint      not null generated always as identity,
  merchant_id        bigint      not null,
  customer_id        uuid        not null,
  source             text        not null,
  order_number       text        not null,
  total_halalas      bigint      not null,
  total_points       bigint      not null,
  points_per_sar_e4  bigint      not null,
  shipping_halalas   bigint,
  tax_halalas        bigint,
  discount_halalas   bigint,
  shipping_address   json,
  items              json,
  metadata           json,
  order_uuid         uuid,
  created_at         timestamptz not null,
  constraint pending_earning_pkey primary key (program_id, pending_uuid),
  constraint pending_earning_key unique (program_id, merchant_id, source, order_number),
  constraint pending_earning_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint pending_earning_customer_fkey
    foreign key (program_id, customer_id) references customer (program_id, customer_id),
  constraint pending_earning_source_check check (source in ('purchase', 'product_rating', 'store_rating')),
  constraint pending_earning_amounts_check check (total_halalas between 0 and 999999999999 and total_points >= 0)
);

create index pending_earning_customer_idx on pending_earning (program_id, customer_id) where order_uuid is null;

-- One row a merchant, locked while an earning of that merchant is under way (spec, "Limits"). Its own table, so that
-- foreign keys to the merchant never look like a lock.
create table earning_lock (
  program_id   bigint not null,
  merchant_id  bigint not null,
  constraint earning_lock_pkey primary key (program_id, merchant_id),
  constraint earning_lock_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id)
);

-- Points reserved for an order. A hold ends exactly once: posted or released.
create table hold (
  program_id        bigint      not null,
  hold_id           uuid        not null,
  account_id        uuid        not null,
  order_uuid        uuid        not null,
  points            bigint      not null,
  state             text        not null default 'open',
  hold_transfer_id  uuid        not null,
  end_transfer_id   uuid,
  created_at        timestamptz not null,
  ended_at          timestamptz,
  constraint hold_pkey primary key (program_id, hold_id),
  constraint hold_account_fkey foreign key (program_id, account_id) references account (program_id, account_id),
  constraint hold_order_fkey foreign key (program_id, order_uuid) references orders (program_id, order_uuid),
  constraint hold_transfer_fkey
    foreign key (program_id, hold_transfer_id) references transfer (program_id, transfer_id),
  constraint hold_end_transfer_fkey
    foreign key (program_id, end_transfer_id) references transfer (program_id, transfer_id),
  constraint hold_points_check check (points > 0),
  constraint hold_state_check check (state in ('open', 'posted', 'released')),
  constraint hold_end_check check (
    (state = 'open') = (end_transfer_id is null) and (state = 'open') = (ended_at is null)
  )
);

create unique index hold_open_key on hold (program_id, order_uuid) where state = 'open';
