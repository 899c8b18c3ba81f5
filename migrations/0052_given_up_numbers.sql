-- The number that a merge has given up, until the customer who stays is erased: checkouts without a customer have no other link to the person.
alter table account add column given_up_phone text;
-- Not validated: no row has one yet, and checking them all would lock the table.
alter table account add constraint account_given_up_phone_check
  check (given_up_phone is null or merged_into is not null and given_up_phone ~ '^5[0-9]{8}$') not valid;
