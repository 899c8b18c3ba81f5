-- What a point of a program is worth, by the day in Riyadh on which a value begins. The latest row that has begun holds; before the
-- first one, the first. `program.micro_sar_per_point` stays for processes of the version before.
create table program_rate (
  program_id           bigint      not null,
  begins_on            date        not null,
  micro_sar_per_point  bigint      not null,
  created_at           timestamptz not null,
  constraint program_rate_pkey primary key (program_id, begins_on),
  constraint program_rate_value_check check (micro_sar_per_point > 0)
);

insert into program_rate (program_id, begins_on, micro_sar_per_point, created_at)
select program_id, (created_at at time zone 'Asia/Riyadh')::date, micro_sar_per_point, created_at from program;
