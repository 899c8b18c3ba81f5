insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
  order_status, total_halalas, total_points, redeemed_halalas, created_at, updated_at)
values (1, ':u37', 1, ':u10', 2, 'checkout', 'UPGRADE0037', 'C-5', 'new', 2000, 100, 50, :at, :at);
insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u48', 'hold', 'hold::u52', ':u37', null, :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u48', 0, ':u10', 'available', -100, 1750, 13, :at),
  (1, ':u48', 1, ':u10', 'held', 100, 100, 14, :at);
insert into hold (program_id, hold_id, account_id, order_uuid, points, hold_transfer_id, created_at)
values (1, ':u52', ':u10', ':u37', 100, ':u48', :at);
update account set held = 100, version = 14 where account_id = ':u10';
insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, expires_at, created_at,
  updated_at, browser_hash, proven_phone, proven_at, confirmed_at, release_at, collector)
values (1, ':u96', 1, ':u37', '\x96', :at, :at, :at, '\x97', '511111111', :at, :at, :at, 'merchant');

insert into otp (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, expires_at, created_at)
values (1, 'checkout', ':u92', ':u97', '511111111', '\x97', :at, :at);
insert into rate_limit (program_id, kind, key_hash, times, asked_at) values (1, 'codes', '\x0b', array[timestamptz :at], :at);
insert into wallet_session (program_id, session_uuid, token_hash, phone, proven_at, seen_at, expires_at, created_at)
values (1, ':u98', '\x98', '511111111', :at, :at, :at, :at);
insert into consent (program_id, consent_uuid, customer_id, terms_version, locale, source, created_at)
values (1, ':u99', ':u10', '2026-01', 'ar', 'wallet', :at);
insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, due_at, created_at)
values (1, ':u61', 'invitation', ':u11', 1, :at, :at);
insert into payment_task (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, due_at, created_at)
values (1, ':u62', ':u85', ':u35', 'capture', 3000, :at, :at);
insert into sandbox_payment (program_id, payment_uuid, kind, state, card, amount_halalas, refunded_halalas, description,
  return_url, callback_url, created_at, updated_at)
values (1, ':u85', 'auth', 'authorized', '4111', 3000, 1, 'C-3', 'https://localhost/', 'https://localhost/', :at, :at);
insert into sandbox_refund (program_id, refund_uuid, payment_uuid, amount_halalas, created_at)
values (1, ':u63', ':u85', 1, :at);
update merchant set payment_flow = 'two_step', colour = '#123456';
insert into merchant_logo (program_id, merchant_id, digest, media_type, content, created_at)
values (1, 1, 'digest', 'image/png', '\x89', :at);
insert into merchant_payment_account (program_id, merchant_id, provider, credentials, updated_at)
values (1, 1, 'moyasar', '\x03', :at);
