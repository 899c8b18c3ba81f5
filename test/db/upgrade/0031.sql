insert into merchant_note (program_id, merchant_id, note, changed_by, changed_at) values (1, 1, 'Called them.', 'sara@points.example', :at);
insert into merchant_document (program_id, merchant_id, document, note, seen_by, seen_at)
values (1, 1, 'contract', '', 'sara@points.example', :at);
insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
values (1, 0, '\x31', '/dashboard/api/programs/:programId/merchants', '\x31', ':u91', ':u92', :at, :at);
