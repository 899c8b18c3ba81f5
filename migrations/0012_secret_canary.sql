-- A text that every process knows, sealed under the secret key at the first start: what is sealed under another key cannot be
-- opened, and this tells before anything else does.
alter table deployment add column secret_canary bytea;
