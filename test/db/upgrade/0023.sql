insert into activity_program (program_id, generation, counted_to, building, build_step, build_after, created_at, updated_at)
values (1, 1, '0193e7a1-0000-7000-8000-000000000000', true, 'orders', '0193e7a1-0000-7000-8000-000000000000', :at, :at);
insert into activity_window (program_id, from_id, to_id, counted)
values (1, '0193e7a0-0000-7000-8000-000000000000', '0193e7a1-0000-7000-8000-000000000000', 3);
insert into activity_day (program_id, generation, merchant_id, day, purchases, ratings, checkouts, refunds, sales_halalas,
  redeemed_halalas, refunded_halalas, issued_points, redeemed_points, reversed_points, returned_points, new_customers,
  returning_customers)
values (1, 1, 1, '2026-01-31', 1, 0, 1, 1, 20000, 500, 10000, 1000, 100, 1000, 0, 1, 1);
insert into merchant_customer (program_id, generation, merchant_id, customer_id, orders, first_at, second_at, last_at,
  sales_halalas, earned_points, redeemed_points)
values (1, 1, 1, '0193e7a1-0000-7000-8000-0000000c0001', 2, :at, :at, :at, 20000, 1000, 100);
