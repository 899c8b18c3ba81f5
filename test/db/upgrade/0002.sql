insert into program (name, account_id, created_at, updated_at) values ('First', ':u01', :at, :at);
insert into merchant (program_id, account_id, name, verified, published, payment_provider, created_at, updated_at)
values (1, ':u02', 'Corner Café', true, true, 'sandbox', :at, :at);
insert into api_key (program_id, merchant_id, public_key, private_key_hash, created_at)
values (1, 1, 'pk_test_00000000000000000000000000', sha256('sk_test_00000000000000000000000000'), :at);
insert into customer (program_id, customer_id, phone, name, status, created_at, activated_at) values
  (1, ':u10', '511111111', 'سارة', 'active', :at, :at),
  (1, ':u11', '522222222', null, 'invited', :at, null);
insert into account (program_id, account_id, kind, customer_id, merchant_id, posted, held, version, created_at) values
  (1, ':u01', 'program', null, null, null, null, null, :at),
  (1, ':u02', 'merchant', null, 1, null, null, null, :at),
  (1, ':u10', 'customer', ':u10', null, 500, 0, 1, :at),
  (1, ':u11', 'customer', ':u11', null, 0, 0, 0, :at);

insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
values (1, ':u20', 'adjust', 'adjust::u21', null, 'Welcome', :at);
insert into entry (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, created_at) values
  (1, ':u20', 0, ':u01', 'available', -500, null, null, :at),
  (1, ':u20', 1, ':u10', 'available', 500, 500, 1, :at);
