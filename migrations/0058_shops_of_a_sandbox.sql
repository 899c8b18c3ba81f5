-- The place of a merchant among the shops that a sandbox begins with, whatever its name becomes; null for all others.
alter table merchant add column demo_place smallint;
