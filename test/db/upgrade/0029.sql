insert into settlement_line (program_id, settlement_id, line, kind, micro_sar_per_point, entries, points, micro_sar)
values (1, ':u90', 0, 'post', 5000, 1, -1000, -5000000);
insert into provider_money (program_id, money_uuid, merchant_id, order_uuid, kind, amount_halalas, booked_at, created_at)
values (1, ':u91', 1, ':u36', 'collected', 100, :at, :at);
