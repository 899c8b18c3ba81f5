insert into write_probe (singleton, probed_at) values (true, :at);
