-- A blocked wallet takes points and gives none to its customer. A merged one is closed: its points are in another, and whatever its orders
-- still move goes there.
alter table account add column blocked_at timestamptz, add column blocked_by text, add column blocked_reason text,
  add column merged_into uuid, add column merged_at timestamptz;
