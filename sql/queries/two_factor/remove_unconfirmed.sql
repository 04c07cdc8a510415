-- remove_unconfirmed: removes secrets that were shown and not confirmed within half an hour; see state.
-- rows: none
update users set otp_pending_secret = null, otp_pending_at = null
where users.otp_pending_at <= now() - interval '30 minutes'
