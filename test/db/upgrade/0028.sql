insert into program_rate (program_id, begins_on, micro_sar_per_point, created_at) values (1, '2026-02-01', 10000, :at);
update program set remembered_limit = 500, fee_earn_bp = 100, two_person_rates = true, two_person_adjustments_over = 1000;
insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, proposed_by, expires_at, created_at)
values (1, ':u99', 'program.rate', 'open', '{}', '{}', 'Sara', :at, :at);
insert into program_terms (program_id, version, begins_on, text_en, text_ar, created_at)
values (1, '2026-02', '2026-02-01', 'Terms', 'الشروط', :at);
