-- What happens to orders: authorisation, refunds with both legs, ratings as they were given, settlements.
-- A new order keeps the points chosen for it and their worth, so that an ended hold can be made again.

alter table orders add column authorized_at timestamptz;
alter table orders add column redeemed_halalas bigint not null default 0;
alter table orders add constraint orders_authorized_check check (
  (order_status not in ('authorized', 'captured') or authorized_at is not null)
  and (order_status not in ('new', 'approved') or authorized_at is null)
  and (type = 2 or authorized_at is null)
);
alter table orders add constraint orders_redeemed_check check (
  redeemed_halalas between 0 and total_halalas and (redeemed_halalas = 0 or (type = 2 and total_points > 0))
);

-- An order's holds, the ended ones too.
create index hold_order_idx on hold (program_id, order_uuid);

-- Money that a payment provider collects for an order; none where the merchant collects it.
create table order_payment (
  program_id          bigint      not null,
  payment_uuid        uuid        not null,
  order_uuid          uuid        not null,
  provider            text        not null,
  provider_reference  text,
  amount_halalas      bigint      not null,
  state               text        not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint order_payment_pkey primary key (program_id, payment_uuid),
  constraint order_payment_order_fkey foreign key (program_id, order_uuid) references orders (program_id, order_uuid),
  constraint order_payment_provider_check check (provider in ('sandbox', 'paytabs', 'moyasar')),
  constraint order_payment_amount_check check (amount_halalas between 1 and 999999999999),
  constraint order_payment_state_check check (state in ('created', 'authorized', 'paid', 'voided', 'failed')),
  constraint order_payment_reference_check check (state in ('created', 'failed') or provider_reference is not null)
);

create index order_payment_order_idx on order_payment (program_id, order_uuid);

-- An order is paid once: of several tries only one holds money.
create unique index order_payment_live_key on order_payment (program_id, order_uuid)
  where state in ('authorized', 'paid');

-- One row a refund. Its points are posted with it; its money, where a provider collected it, follows after the commit:
-- `provider_state` says how far that is.
create table order_refund (
  program_id                 bigint      not null,
  refund_uuid                uuid        not null,
  order_uuid                 uuid        not null,
  refund_halalas             bigint      not null,
  reversed_points            bigint      not null,
  returned_points            bigint      not null,
  provider_halalas           bigint      not null,
  provider_state             text        not null,
  provider_refund_reference  text,
  payment_uuid               uuid,
  reason                     text,
  created_at                 timestamptz not null,
  constraint order_refund_pkey primary key (program_id, refund_uuid),
  constraint order_refund_order_fkey foreign key (program_id, order_uuid) references orders (program_id, order_uuid),
  constraint order_refund_payment_fkey
    foreign key (program_id, payment_uuid) references order_payment (program_id, payment_uuid),
  constraint order_refund_amounts_check check (
    refund_halalas >= 0 and reversed_points >= 0 and returned_points >= 0
    and provider_halalas between 0 and refund_halalas
  ),
  constraint order_refund_provider_check check (provider_state in ('none', 'due', 'done', 'refused')),
  constraint order_refund_leg_check check (
    (provider_state = 'none') = (provider_halalas = 0) and (provider_state = 'none') = (payment_uuid is null)
  )
);

create index order_refund_order_idx on order_refund (program_id, order_uuid);
create index order_refund_due_idx on order_refund (program_id, created_at) where provider_state = 'due';

-- What a customer said in a rating, kept for audit (spec, "product-rating"). `order_uuid` is the order's, or the
-- pending earning's, which hands it on to its order.
create table order_rating (
  program_id    bigint      not null,
  order_uuid    uuid        not null,
  product_id    text,
  product_name  text,
  rating        smallint,
  comment       text,
  created_at    timestamptz not null,
  constraint order_rating_pkey primary key (program_id, order_uuid),
  constraint order_rating_rating_check check (rating between 1 and 5)
);

-- A closed settlement of a merchant, never changed. Its orders carry its id.
create table settlement (
  program_id           bigint      not null,
  settlement_id        uuid        not null,
  merchant_id          bigint      not null,
  orders               bigint      not null,
  net_points           bigint      not null,
  net_halalas          bigint      not null,
  micro_sar_per_point  bigint      not null,
  created_at           timestamptz not null,
  constraint settlement_pkey primary key (program_id, settlement_id),
  constraint settlement_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint settlement_orders_check check (orders > 0)
);

-- Machine translations of shipping labels, used for 30 days (spec, "Limits").
create table translation (
  program_id  bigint      not null,
  target      text        not null,
  text        text        not null,
  translated  text        not null,
  created_at  timestamptz not null,
  constraint translation_pkey primary key (program_id, target, text),
  constraint translation_target_check check (target in ('ar', 'en'))
);
