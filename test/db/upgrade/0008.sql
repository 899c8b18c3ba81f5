insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, status,
  answer, created_at)
values (1, 1, '\x08', 'POST /api/v1/orders/earning', '\x09', ':u93', ':u94', :at, 200, '\x0a', :at);
