insert into settlement_run (program_id, run_uuid, kind, until_at, asked_by, state, due_at, created_at, ended_at)
values (1, '019ba533-e400-7000-8000-0000000f0004', 'close', :at, 'sara@shop.example', 'done', :at, :at, :at);
insert into program_webhook (program_id, webhook_uuid, url, secret, secret_last4, created_at, updated_at)
values (1, '019ba533-e400-7000-8000-0000000f0005', 'https://operator.example/hook', '\x01', 'abcd', :at, :at);
insert into settlement_notice (program_id, settlement_id, event, state, due_at, created_at, ended_at)
values (1, ':u90', 'settlement_closed', 'delivered', :at, :at, :at);
