-- extent: the effects of a rule besides limits.
-- $1 rule bigint
-- rows: one, or none when the rule no longer exists
-- plan: no sequential scan of accounts
select b.severity = 'suspend' as suspends, b.reject_media as rejects_media from domain_blocks b where b.id = $1
