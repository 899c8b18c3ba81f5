-- Validating takes no lock that keeps anybody waiting.
alter table account validate constraint account_given_up_phone_check;
