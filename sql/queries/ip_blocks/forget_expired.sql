-- forget_expired: removes rules that no longer count. Nobody needs to hear of it.
-- rows: none
delete from ip_blocks where ip_blocks.expires_at <= now()
