-- record_issue: records in the audit log that the staff made an invite on behalf of a user.
-- $1 moderator bigint
-- $2 code text
-- rows: one
-- plan: no sequential scan
select log_action($1::bigint, 'create', 'Invite', i.id, i.code) as entry from invites i where i.code = $2
