update checkout_session set stored_bytes = 2048, kept_at = :at where session_uuid = ':u92';
