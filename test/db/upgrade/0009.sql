insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts,
  due_at, created_at)
values (1, ':u70', ':u70', 1, ':u91', ':u30', 1, 0, :at, :at);
insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series, attempts,
  created_at, ended_at)
values (1, ':u71', ':u71', 1, ':u91', ':u31', 'delivered', 1, 1, :at, :at);
insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status, response)
values (1, ':u71', 1, 1, :at, 12, 200, 'ok');
update webhook set next_secret = '\x02', next_secret_last4 = 'efgh', next_secret_at = :at;
insert into webhook_rotation (program_id, webhook_uuid, rotation_uuid, old_last4, new_last4, effective_at, created_at)
values (1, ':u91', ':u95', '0000', 'abcd', :at, :at);
insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
values (1, ':u77', 1, ':u30', 'test', '{}', :at);
