insert into remembered_browser (program_id, remembered_uuid, token_hash, phone, customer_id, device, proven_at, used_at, expires_at,
  created_at)
values (1, ':u64', '\x64', '511111111', ':u10', 'Chrome, Android', :at, :at, :at, :at);
insert into remembered_spend (program_id, customer_id, order_uuid, points, spent_at) values (1, ':u10', ':u37', 100, :at);
update checkout_session set remembered_uuid = ':u64' where order_uuid = ':u37';
