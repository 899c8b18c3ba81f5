-- The merchants of a deployment by name, as operators find them: the one list that goes across programs.
drop index concurrently if exists merchant_name_idx;
create index concurrently merchant_name_idx on merchant ((lower(name) collate "C"), merchant_id);
