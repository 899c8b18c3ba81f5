-- Settlements by the ledger alone. What a merchant owes is the sum of its account's entries in a period, valued at the rate that
-- each entry records, with the money that a provider collected for it.

-- What an entry is of, and the value of a point that it counts with. Null in older entries: the kind is that of the transfer, the
-- value the program's first.
alter table entry add column kind text;
alter table entry add column micro_sar_per_point bigint;

-- Up to where each merchant is settled, in the row that its earnings lock: they learn the boundary with the lock. All before
-- `closing_to` is fixed: later changes count from there on. All before `settled_to` is settled, and comes to `settled_points`.
alter table earning_lock add column closing_to timestamptz;
alter table earning_lock add column settled_to timestamptz;
alter table earning_lock add column settled_points numeric not null default 0;

-- When an order counts, if not when it was paid: a closed period takes nothing any more, and an order that is left out counts
-- when it is taken in again; until then at infinity.
alter table orders add column booked_at timestamptz;
-- The order was refunded in full after its period was closed, so a settlement contains it.
alter table orders add column refunded_late boolean not null default false;
-- The value of a point when the customer chose points.
alter table orders add column micro_sar_per_point bigint;

-- Orders that settlements leave out while they are in dispute. Their entries count when they are taken in again.
create table settlement_exclusion (
  program_id   bigint      not null,
  order_uuid   uuid        not null,
  merchant_id  bigint      not null,
  reason       text,
  excluded_at  timestamptz not null,
  included_at  timestamptz,
  constraint settlement_exclusion_pkey primary key (program_id, order_uuid)
);
create index settlement_exclusion_merchant_idx on settlement_exclusion (program_id, merchant_id, included_at);

-- Money that payment providers collected on the program's account and paid back, by merchant. `missing`: it turned out that the
-- provider never had it. Rows never change.
create table provider_money (
  program_id      bigint      not null,
  money_uuid      uuid        not null,
  merchant_id     bigint      not null,
  order_uuid      uuid        not null,
  kind            text        not null,
  amount_halalas  bigint      not null,
  booked_at       timestamptz not null,
  created_at      timestamptz not null,
  constraint provider_money_pkey primary key (program_id, money_uuid),
  constraint provider_money_kind_check check (kind in ('collected', 'paid_back', 'missing')),
  constraint provider_money_amount_check check (amount_halalas > 0)
);
create index provider_money_merchant_idx on provider_money (program_id, merchant_id, booked_at);
create unique index provider_money_once_key on provider_money (program_id, order_uuid, kind) where kind <> 'paid_back';
create index provider_money_order_idx on provider_money (program_id, order_uuid);

-- The sums of a settlement, by kind and rate. Value and money are what the merchant owes; below 0 what it gets.
create table settlement_line (
  program_id           bigint   not null,
  settlement_id        uuid     not null,
  line                 smallint not null,
  kind                 text     not null,
  micro_sar_per_point  bigint,
  entries              bigint   not null,
  points               numeric  not null,
  micro_sar            numeric  not null,
  constraint settlement_line_pkey primary key (program_id, settlement_id, line),
  constraint settlement_line_settlement_fkey foreign key (program_id, settlement_id) references settlement (program_id, settlement_id),
  constraint settlement_line_kind_check check (kind in ('earn', 'reverse', 'post', 'return', 'collected', 'paid_back', 'missing',
    'fee_earn', 'fee_redeem', 'vat', 'rounding'))
);

-- A period may hold refunds alone. Periods and amounts are null in older settlements, which had net points only.
alter table settlement drop constraint settlement_orders_check;
alter table settlement alter column micro_sar_per_point drop not null;
alter table settlement add column from_at timestamptz;
alter table settlement add column until_at timestamptz;
alter table settlement add column money_halalas numeric;
alter table settlement add column fee_halalas numeric;
alter table settlement add column vat_halalas numeric;
alter table settlement add column due_halalas numeric;
alter table settlement add column fee_vat_bp integer;

-- Older settlements: the boundary is after the last one and all that it contains. An order that no settlement took, though it was
-- paid before, is taken in at the boundary.
update earning_lock l set settled_to = b.at, closing_to = b.at
from (
  select s.program_id, s.merchant_id, greatest(max(s.created_at), max(o.paid_at)) + interval '1 millisecond' as at
  from settlement s
  left join orders o on o.program_id = s.program_id and o.settlement_id = s.settlement_id
  group by s.program_id, s.merchant_id
) b
where l.program_id = b.program_id and l.merchant_id = b.merchant_id;

insert into settlement_exclusion (program_id, order_uuid, merchant_id, reason, excluded_at, included_at)
select o.program_id, o.order_uuid, o.merchant_id, 'in no settlement before the upgrade', l.settled_to, l.settled_to
from earning_lock l
join orders o on o.program_id = l.program_id and o.merchant_id = l.merchant_id
where o.paid_at < l.settled_to and o.settlement_id is null;

update orders o set booked_at = l.settled_to
from earning_lock l
where l.program_id = o.program_id and l.merchant_id = o.merchant_id and o.paid_at < l.settled_to and o.settlement_id is null;

update orders set refunded_late = true where settlement_id is not null and order_status = 'fully_refunded';

update earning_lock l set settled_points = p.points
from (
  select l.program_id, l.merchant_id, -sum(e.amount) as points
  from earning_lock l
  join account a on a.program_id = l.program_id and a.merchant_id = l.merchant_id
  join entry e on e.program_id = a.program_id and e.account_id = a.account_id and e.created_at < l.settled_to
  join transfer t on t.program_id = e.program_id and t.transfer_id = e.transfer_id
  join orders o on o.program_id = t.program_id and o.order_uuid = t.order_uuid and o.booked_at is null
  group by l.program_id, l.merchant_id
) p
where l.program_id = p.program_id and l.merchant_id = p.merchant_id;

-- Money that was collected before. Whose account collected it is not known: merchants with an account of their own are taken to
-- have used it.
insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
select p.program_id, p.payment_uuid, o.merchant_id, p.order_uuid, 'collected', p.amount_halalas, coalesce(o.booked_at, o.paid_at), o.paid_at
from order_payment p
join orders o on o.program_id = p.program_id and o.order_uuid = p.order_uuid and o.paid_at is not null
where p.state in ('paid', 'authorized') and not exists (
  select from merchant_payment_account a
  where a.program_id = o.program_id and a.merchant_id = o.merchant_id and a.provider = p.provider
);
insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
select r.program_id, r.refund_uuid, o.merchant_id, r.order_uuid, 'paid_back', r.provider_halalas, greatest(r.created_at, o.booked_at), r.created_at
from order_refund r
join orders o on o.program_id = r.program_id and o.order_uuid = r.order_uuid
join order_payment p on p.program_id = r.program_id and p.payment_uuid = r.payment_uuid and p.state in ('paid', 'authorized')
where r.provider_halalas > 0 and not exists (
  select from merchant_payment_account a
  where a.program_id = o.program_id and a.merchant_id = o.merchant_id and a.provider = p.provider
);

alter table orders drop constraint orders_settlement_check;
alter table orders drop column settlement_id;
