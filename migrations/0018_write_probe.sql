-- Whether the database can be written, asked by writing: `/readyz` updates the one row, at most once a second in each process.
-- On a cluster the table stays on the coordinator.
create table write_probe (
  singleton  boolean     not null,
  probed_at  timestamptz not null,
  constraint write_probe_pkey primary key (singleton),
  constraint write_probe_singleton_check check (singleton)
);
