insert into card_session (program_id, card_uuid, merchant_id, token_hash, phone, customer_id, stage, challenge, offers_until, created_at, expires_at)
values (1, ':u34', 1, '\x34', '511111111', ':u10', 'open', null, :at, :at, :at);
