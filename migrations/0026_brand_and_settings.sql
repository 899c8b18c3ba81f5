-- The merchant's name on Arabic pages. Null: the same name in both languages.
alter table merchant add column name_ar text;
-- When the private key was made, where it is younger than its pair.
alter table api_key add column private_key_created_at timestamptz;

-- The logo for wide places, such as the header of the checkout. The square one is in merchant_logo. A table of its own:
-- processes of the version before go on writing merchant_logo by its key.
create table merchant_wide_logo (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  digest       text        not null,
  media_type   text        not null,
  content      bytea       not null,
  created_at   timestamptz not null,
  constraint merchant_wide_logo_pkey primary key (program_id, merchant_id),
  constraint merchant_wide_logo_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint merchant_wide_logo_type_check check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint merchant_wide_logo_size_check check (octet_length(content) between 1 and 131072)
);
