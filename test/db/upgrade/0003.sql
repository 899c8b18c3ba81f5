insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
  order_status, total_halalas, total_points, earned_points, items, metadata, label_ar, label_en, reason, paid_at, created_at,
  updated_at) values
  (1, ':u30', 1, ':u10', 1, 'purchase', 'UPGRADE0030', 'A-1', 'approved', 10000, 1000, 1000,
    '[{"product_name":"قهوة","product_price":50,"quantity":2}]', '{"branch":"Olaya"}', 'جديد', 'New', null, :at, :at, :at),
  (1, ':u31', 1, ':u10', 2, 'checkout', 'UPGRADE0031', 'C-1', 'approved', 5000, 200, 0,
    null, null, null, null, null, :at, :at, :at),
  (1, ':u32', 1, ':u10', 2, 'checkout', 'UPGRADE0032', 'C-2', 'cancelled', 5000, 100, 0,
    null, null, null, null, 'Out of stock', null, :at, :at);

insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u40', 'earn', 'earn::u30', ':u30', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u40', 0, ':u02', 'available', -1000, null, null, :at),
  (1, ':u40', 1, ':u10', 'available', 1000, 1500, 2, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u41', 'hold', 'hold::u50', ':u31', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u41', 0, ':u10', 'available', -200, 1300, 3, :at),
  (1, ':u41', 1, ':u10', 'held', 200, 200, 4, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u42', 'post', 'hold-end::u50', ':u31', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u42', 0, ':u10', 'held', -200, 0, 5, :at),
  (1, ':u42', 1, ':u02', 'available', 200, null, null, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u43', 'hold', 'hold::u51', ':u32', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u43', 0, ':u10', 'available', -100, 1200, 6, :at),
  (1, ':u43', 1, ':u10', 'held', 100, 100, 7, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u44', 'release', 'hold-end::u51', ':u32', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u44', 0, ':u10', 'held', -100, 0, 8, :at),
  (1, ':u44', 1, ':u10', 'available', 100, 1300, 9, :at);
update account set posted = 1300, version = 9 where account_id = ':u10';

insert into hold (program_id, hold_id, account_id, order_uuid, points, state, hold_transfer_id, end_transfer_id, created_at,
  ended_at) values
  (1, ':u50', ':u10', ':u31', 200, 'posted', ':u41', ':u42', :at, :at),
  (1, ':u51', ':u10', ':u32', 100, 'released', ':u43', ':u44', :at, :at);
insert into pending_earning (program_id, pending_uuid, merchant_id, customer_id, source, order_number, total_halalas,
  total_points, points_per_sar_e4, created_at)
values (1, ':u60', 1, ':u11', 'purchase', 'A-2', 20000, 2000, 100000, :at);
insert into earning_lock (program_id, merchant_id) values (1, 1);
