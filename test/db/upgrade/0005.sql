insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
  order_status, total_halalas, total_points, earned_points, refunded_halalas, reversed_points, authorized_at, paid_at,
  created_at, updated_at) values
  (1, ':u34', 1, ':u10', 1, 'purchase', 'UPGRADE0034', 'A-3', 'partially_refunded', 10000, 1000, 1000, 5000, 500,
    null, :at, :at, :at),
  (1, ':u35', 1, ':u10', 2, 'checkout', 'UPGRADE0035', 'C-3', 'authorized', 3000, 0, 0, 0, 0, :at, null, :at, :at),
  (1, ':u36', 1, ':u10', 1, 'product_rating', 'UPGRADE0036', 'A-3', 'approved', 0, 50, 50, 0, 0, null, :at, :at, :at);
insert into order_refund (program_id, refund_uuid, order_uuid, refund_halalas, reversed_points, returned_points,
  provider_halalas, provider_state, reason, created_at)
values (1, ':u80', ':u34', 5000, 500, 0, 0, 'none', 'One cup was cold', :at);

insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u45', 'earn', 'earn::u34', ':u34', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u45', 0, ':u02', 'available', -1000, null, null, :at),
  (1, ':u45', 1, ':u10', 'available', 1000, 2300, 10, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u46', 'reverse', 'reverse::u80', ':u34', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u46', 0, ':u10', 'available', -500, 1800, 11, :at),
  (1, ':u46', 1, ':u02', 'available', 500, null, null, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u47', 'earn', 'earn::u36', ':u36', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u47', 0, ':u02', 'available', -50, null, null, :at),
  (1, ':u47', 1, ':u10', 'available', 50, 1850, 12, :at);
update account set posted = 1850, version = 12 where account_id = ':u10';

insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at) values
  (1, ':u73', 1, ':u34', 'approved',
    '{"id":":u34","total_points":1000}', :at),
  (1, ':u74', 1, ':u34', 'refunded',
    '{"id":":u34","total_points":1000}', :at),
  (1, ':u75', 1, ':u35', 'authorized',
    '{"id":":u35","total_points":0}', :at),
  (1, ':u76', 1, ':u36', 'approved',
    '{"id":":u36","total_points":50}', :at);

insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas, state,
  created_at, updated_at)
values (1, ':u85', ':u35', 'sandbox', 'sandbox-85', 3000, 'authorized', :at, :at);
insert into order_rating (program_id, order_uuid, product_id, product_name, rating, comment, created_at)
values (1, ':u36', '7', 'Filter coffee', 5, 'Lovely', :at);
insert into settlement (program_id, settlement_id, merchant_id, orders, net_points, net_halalas, micro_sar_per_point,
  created_at)
values (1, ':u90', 1, 1, -1000, -500, 5000, :at);
update orders set settlement_id = ':u90' where order_uuid = ':u30';
insert into translation (program_id, target, text, translated, created_at) values (1, 'ar', 'Packed', 'تم التغليف', :at);
