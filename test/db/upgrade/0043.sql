insert into erasure_request (program_id, request_uuid, customer_id, reason, asked_by, due_at, created_at)
select 1, '019ba533-e400-7000-8000-0000000f0006', c.customer_id, 'They asked for it', 'sara@shop.example', :at, :at
from customer c where c.program_id = 1 order by c.customer_id limit 1;
update program_webhook set next_secret = '\x02', next_secret_last4 = 'efgh', next_secret_at = :at, test_uuid = '019ba533-e400-7000-8000-0000000f0007' where program_id = 1;
insert into settlement_notice (program_id, settlement_id, event, state, due_at, created_at, ended_at)
values (1, '019ba533-e400-7000-8000-0000000f0007', 'test', 'delivered', :at, :at, :at);
