-- The customers of a program by name, where letters that Arabic spells in several ways are one, and vowel signs fall away.
drop index concurrently if exists customer_folded_name_idx;
create index concurrently customer_folded_name_idx on customer
  (program_id, (translate(lower(name), U&'\0623\0625\0622\0671\0629\0649\0624\0626\06CC\06A9\0640\064B\064C\064D\064E\064F\0650\0651\0652\0670', U&'\0627\0627\0627\0627\0647\064A\0648\064A\064A\0643') collate "C"), customer_id) where name is not null;
-- It had the names as they are written.
drop index concurrently if exists customer_name_idx;
