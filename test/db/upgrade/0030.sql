insert into liability_report (program_id, day, until, step, after_id, ties, wallet_entries, entries_read, wallets, wallets_below_zero,
  owed_points, receivable_points, held_points, micro_sar_per_point, first_micro_sar_per_point, created_at, updated_at, completed_at)
values (1, '2026-01-31', '2026-01-31T21:00:00Z', null, null, true, 2, 2, 1, 0, 1000, 0, 0, 5000, 5000, :at, :at, :at),
  (1, '2026-02-28', '2026-02-28T21:00:00Z', 'wallets', '0193e7a1-0000-7000-8000-0000000c0001', null, 2, 1, 0, 0, 0, 0, 0, 5000, 5000,
    :at, :at, null);
insert into liability_month (program_id, day, month, issued_points, returned_points, redeemed_points, reversed_points, adjusted_points,
  kept_points, left_points, left_micro_sar)
values (1, '2026-01-31', '2026-01-01', 1000, 0, 0, 0, 0, 1000, 1000, 5000000);
