insert into orders (program_id, order_uuid, merchant_id, type, source, reference_number, order_number, order_status,
  total_halalas, total_points, created_at, updated_at)
values (1, ':u38', 1, 2, 'checkout', 'UPGRADE0038', 'C-6', 'new', 1500, 0, :at, :at);
insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, phone, expires_at, created_at,
  updated_at, confirmed_at, release_at, collector, continued_at, joined_name, joined_terms, joined_locale)
values (1, ':u64', 1, ':u38', '\x64', '533333333', :at, :at, :at, :at, :at, 'merchant', :at, 'Noura', '2026-01', 'en');
update settlement set net_points = 99999999999999999999;
