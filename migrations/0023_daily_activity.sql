-- Figures of merchants by day, which a background job adds up from orders and refunds. Nothing else reads or writes them, so
-- they can be made again at any time: into the next generation, which takes the place of the last one when it is complete.

-- How far the job has come in a program. The row is locked while the job adds to the program's figures.
create table activity_program (
  program_id bigint not null,
  generation integer not null,
  counted_to uuid not null,
  building boolean not null,
  build_step text,
  build_after uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint activity_program_pkey primary key (program_id),
  constraint activity_program_step_check check (build_step in ('orders', 'refunds', 'old figures')),
  constraint activity_program_building_check check ((build_step is null) = (build_after is null) and (not building or build_step is not null))
);

-- Ranges of ids that were added, with the number of events and refunds in them, until they are counted once more.
create table activity_window (
  program_id bigint not null,
  from_id uuid not null,
  to_id uuid not null,
  counted integer not null,
  constraint activity_window_pkey primary key (program_id, from_id)
);

-- A merchant's figures of one business day in Riyadh: of the orders paid and the refunds made on it.
create table activity_day (
  program_id bigint not null,
  generation integer not null,
  merchant_id bigint not null,
  day date not null,
  purchases bigint not null,
  ratings bigint not null,
  checkouts bigint not null,
  refunds bigint not null,
  sales_halalas bigint not null,
  redeemed_halalas bigint not null,
  refunded_halalas bigint not null,
  issued_points bigint not null,
  redeemed_points bigint not null,
  reversed_points bigint not null,
  returned_points bigint not null,
  new_customers bigint not null,
  returning_customers bigint not null,
  constraint activity_day_pkey primary key (program_id, generation, merchant_id, day)
);

-- A customer's paid orders at one merchant.
create table merchant_customer (
  program_id bigint not null,
  generation integer not null,
  merchant_id bigint not null,
  customer_id uuid not null,
  orders bigint not null,
  first_at timestamptz not null,
  second_at timestamptz,
  last_at timestamptz not null,
  sales_halalas bigint not null,
  earned_points bigint not null,
  redeemed_points bigint not null,
  constraint merchant_customer_pkey primary key (program_id, generation, merchant_id, customer_id),
  constraint merchant_customer_second_check check ((second_at is null) = (orders = 1))
);
-- The id as text, so that nothing looks for one customer by this index instead of the key.
create index merchant_customer_last_idx
  on merchant_customer (program_id, generation, merchant_id, last_at desc, ((customer_id)::text) collate "C" desc);
