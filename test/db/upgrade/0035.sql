insert into reconciliation_finding (program_id, finding_uuid, merchant_id, order_uuid, payment_uuid, provider, amount_halalas, kind,
  action, detail, found_at, seen_at)
values (1, '019ba533-e400-7000-8000-0000000f0001', 1, ':u35', ':u85', 'sandbox', 3000, 'not_paid', 'none', 'pending', :at, :at);
insert into message_count (program_id, span, begins_at, kind, outcome, error, messages)
values (1, 'day', :at, 'code', 'sent', '', 3);
insert into service_process (process_uuid, role, version, host, pid, facts, started_at, seen_at)
values ('019ba533-e400-7000-8000-0000000f0002', 'all', '0.1.0', 'host', 1, '{"node":"26","jobs":[],"checks":null,"certificate_ends_on":null}', :at, :at);
insert into ledger_run (program_id, run_uuid, state, asked_by, asked_at, ended_at, attempts, differences, shown)
values (1, '019ba533-e400-7000-8000-0000000f0003', 'done', 'sara@shop.example', :at, :at, 1, 0, '[]');
