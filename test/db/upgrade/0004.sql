insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at) values
  (1, ':u70', 1, ':u30', 'approved',
    '{"id":":u30","total_points":1000}', :at),
  (1, ':u71', 1, ':u31', 'approved',
    '{"id":":u31","total_points":200}', :at),
  (1, ':u72', 1, ':u32', 'cancelled',
    '{"id":":u32","total_points":100}', :at);
