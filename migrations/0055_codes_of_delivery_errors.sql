-- What failed in an attempt, as a code that pages translate. `error` says the same in an English sentence.
alter table delivery_attempt add column error_code text;
