insert into staff (staff_uuid, email, name, password_hash, locale, email_proven_at, created_at, updated_at)
values (':u60', 'sara@waha.example', 'Sara', '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ar', :at, :at, :at);

insert into staff_membership (program_id, merchant_id, staff_uuid, role, created_at, updated_at)
select program_id, merchant_id, ':u60', 'owner', :at, :at from merchant;

insert into staff_session (session_uuid, token_hash, staff_uuid, method, address, browser, proven_at, seen_at, expires_at, created_at)
values (':u61', sha256('token'), ':u60', 'password', '203.0.113.7', 'Firefox, Linux', :at, :at, :at, :at);

insert into staff_recovery_code (staff_uuid, code_hash, created_at) values (':u60', sha256('code'), :at);

insert into staff_passkey (passkey_uuid, staff_uuid, credential_id, public_key, counter, transports, name, created_at)
values (':u62', ':u60', 'id', 'key', 0, '{internal}', 'Phone', :at);

insert into staff_link (link_uuid, token_hash, purpose, email, program_id, merchant_id, role, invited_by, mailed, expires_at, created_at)
select ':u63', sha256('link'), 'invitation', 'omar@waha.example', program_id, merchant_id, 'support', 'sara@waha.example', true, :at, :at
from merchant limit 1;

insert into staff_used (key_hash, expires_at) values (sha256('challenge'), :at);
insert into shown_mail (mail_uuid, content, created_at) values (':u64', 'sealed', :at);
