insert into orders (program_id, order_uuid, merchant_id, type, source, reference_number, order_number, order_status,
  total_halalas, total_points, items, created_at, updated_at)
values (1, ':u33', 1, 2, 'checkout', 'UPGRADE0033', 'C-4', 'new', 1000, 0, '[]', :at, :at);
insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, phone, name, callback_url,
  expires_at, created_at, updated_at)
values (1, ':u92', 1, ':u33', '\x92', '511111111', 'Sara', 'https://shop.example/back', :at, :at, :at);
