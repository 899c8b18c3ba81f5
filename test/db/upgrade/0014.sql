insert into limit_counter (key_hash, times, counts, kept_until) values ('\x0c', array[timestamptz :at], array[3], :at);
