insert into program_rate (program_id, begins_on, micro_sar_per_point, created_at) values (1, '2026-02-01', 10000, :at);
