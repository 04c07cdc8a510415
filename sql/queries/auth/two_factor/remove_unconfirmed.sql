-- remove_unconfirmed: removes secrets that were not confirmed within half an hour; see state.
-- rows: none
-- plan: a sequential scan of users, once a day
update users set otp_pending_secret = null, otp_pending_at = null
where users.otp_pending_at <= now() - interval '30 minutes'
