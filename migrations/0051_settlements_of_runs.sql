-- Which run has made a settlement: a worker that goes on with a run adds what the one before it has settled.
alter table settlement add column run_uuid uuid;
