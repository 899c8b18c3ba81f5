-- Every hour the maintenance finds by these indexes what is past its retention.
drop index concurrently if exists proposal_expires_idx;
create index concurrently proposal_expires_idx on proposal (program_id, expires_at);
drop index concurrently if exists webhook_rotation_effective_idx;
create index concurrently webhook_rotation_effective_idx on webhook_rotation (program_id, effective_at);
