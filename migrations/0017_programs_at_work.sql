-- Background work asks which programs have something due. It asks the programs' own accounts, one row each, because they
-- are spread over a cluster like what is due and the rows of `program` are not.
create unique index account_program_key on account (program_id) where kind = 'program';
