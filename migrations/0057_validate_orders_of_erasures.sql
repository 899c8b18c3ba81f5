-- Validating takes no lock that keeps anybody waiting.
alter table erasure_request validate constraint erasure_request_orders_check;
