-- Checkouts that a merchant's server signs, the hosts that they may lead back to, and the language that they begin in.

-- The secret under which a merchant signs checkouts is sealed; it stays when they are no longer required.
alter table merchant add column signed_checkouts boolean not null default false;
alter table merchant add column checkout_secret bytea;
alter table merchant add constraint merchant_checkout_secret_check check (
  not signed_checkouts or checkout_secret is not null
);

-- Hosts, with the port where it is not the default one, in ASCII: where `callback_url` may lead. None: anywhere.
alter table merchant add column return_hosts text[] not null default '{}';
alter table merchant add constraint merchant_return_hosts_check check (cardinality(return_hosts) <= 50);

-- The language that the store asked for; null where it named none.
alter table checkout_session add column locale text;
alter table checkout_session add constraint checkout_session_locale_check check (locale in ('ar', 'en'));
