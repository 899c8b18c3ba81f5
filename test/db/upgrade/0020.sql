insert into audit (program_id, audit_id, source, actor, action, object, before, after, created_at)
values (0, '0193e7a1-0000-7000-8000-0000000a0001', 'command', 'root@host', 'clock.set', 'deployment', '{"offset_s":0}', '{"offset_s":60}', :at);
