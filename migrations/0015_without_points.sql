-- A customer may go on without points, and without a code: nobody is kept from paying. `continued_at` says since when; the
-- order then earns for the number that the store sent. What somebody new said on the way, a name and the consent to a version
-- of the terms, waits here until the order is paid: only then is there a customer.
alter table checkout_session add column continued_at timestamptz;
alter table checkout_session add column joined_name text;
alter table checkout_session add column joined_terms text;
alter table checkout_session add column joined_locale text;

alter table checkout_session drop constraint checkout_session_confirmed_check;
alter table checkout_session add constraint checkout_session_confirmed_check check (
  (confirmed_at is null or proven_at is not null or continued_at is not null)
  and (release_at is null or (confirmed_at is not null and state = 'open'))
);
alter table checkout_session add constraint checkout_session_continued_check check (
  continued_at is null or confirmed_at is not null
);
alter table checkout_session add constraint checkout_session_joined_check check (
  (joined_name is null) = (joined_terms is null) and (joined_name is null) = (joined_locale is null)
  and (joined_name is null or continued_at is not null) and (joined_locale in ('ar', 'en'))
);

-- A wallet holds up to 10^14 points, and a settlement adds up any number of them: its sums pass what a bigint holds.
alter table settlement alter column net_points type numeric;
alter table settlement alter column net_halalas type numeric;
