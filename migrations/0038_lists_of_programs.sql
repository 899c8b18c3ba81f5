-- The merchants of a program by name.
drop index concurrently if exists merchant_program_name_idx;
create index concurrently merchant_program_name_idx on merchant (program_id, (lower(name) collate "C")) include (merchant_id);
-- What all merchants of a program did, by day.
drop index concurrently if exists activity_day_day_idx;
create index concurrently activity_day_day_idx on activity_day (program_id, generation, day);
-- Operators, among all people.
drop index concurrently if exists staff_operator_idx;
create index concurrently staff_operator_idx on staff (lower(name), staff_uuid) where is_operator;
