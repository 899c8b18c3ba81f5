-- Which account at the provider had the record of a payment, by a name that is no secret, and whether it is the merchant's own. Null while
-- nothing is paid, for providers without accounts, and for what older versions wrote.
alter table order_payment add column provider_account text, add column own_account boolean;
