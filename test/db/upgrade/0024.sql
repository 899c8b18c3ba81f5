insert into request_log (program_id, request_id, merchant_id, method, route, order_uuid, status, duration_ms, failure, fields, body_bytes, body, more)
values (1, '019ba533-e400-7000-8000-0000000b0001', 1, 'POST', '/api/v1/orders/earning', null, 422, 3, 'validation', '["phone_number"]', 120,
  '{"fields":{"phone_number":"text:4"},"unknown":0}', 0);
insert into merchant_audit (program_id, merchant_id, audit_id) values (1, 1, '0193e7a1-0000-7000-8000-0000000a0001');
