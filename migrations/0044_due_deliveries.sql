-- Statements that name a delivery by its key cannot use this index: they do not ask of webhook_uuid. A queue that was
-- emptied keeps its pages, and while the planner takes it for empty, every index looks equally cheap.
drop index concurrently if exists delivery_queue_webhook_idx;
create index concurrently delivery_queue_webhook_idx on delivery_queue (program_id, webhook_uuid, due_at, delivery_id)
  where webhook_uuid is not null;

drop index concurrently if exists delivery_queue_due_idx;
