-- The orders that only their checkouts tied to a customer, from the erasure to its end: nothing else leads to them any more.
alter table erasure_request add column orders uuid[];
-- Not validated: no row has any yet.
alter table erasure_request add constraint erasure_request_orders_check check (state = 'due' or orders is null) not valid;
