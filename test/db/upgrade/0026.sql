update merchant set name_ar = 'متجر';
update api_key set private_key_created_at = :at;
insert into merchant_wide_logo (program_id, merchant_id, digest, media_type, content, created_at)
values (1, 1, 'digest', 'image/png', '\x89', :at);
