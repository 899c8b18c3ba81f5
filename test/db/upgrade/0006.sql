insert into webhook (program_id, webhook_uuid, merchant_id, slot, name, url, secret, secret_last4, created_at, updated_at)
values (1, ':u91', 1, 1, 'Shop', 'https://shop.example/hook', '\x01', 'abcd', :at, :at);
