-- Programs and merchants come with 0002: they have accounts.
insert into deployment (environment, created_at) values ('sandbox', :at);
