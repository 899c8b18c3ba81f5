-- What a merchant's payment page takes, as the merchant has named it: the checkout shows it before the customer goes there.
alter table merchant add column payment_methods text[] not null default '{}';
