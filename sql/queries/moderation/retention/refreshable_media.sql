-- refreshable_media: attachments of other servers whose files may be copied again: those of a
-- status, an account or a domain, or the newest ones. Nothing of domains whose media are rejected.
-- $1 status bigint
-- $2 account bigint
-- $3 domain text
-- $4 since timestamptz
-- $5 forced boolean: also those that have a copy
-- $6 after bigint
-- rows: at most 500, by id
-- plan: the attachments after an id
select m.id, m.type, m.remote_url, a.username || '@' || a.domain as acct, array_remove(array[m.file_key, m.preview_key], null) as files
from media_attachments m
join accounts a on a.id = m.account_id and a.domain is not null and a.suspended_at is null and a.deletion_requested_at is null
where m.remote_url <> '' and m.type in ('image', 'gifv', 'video', 'audio') and m.id > $6::bigint
  and ($1::bigint is null or m.status_id = $1) and ($2::bigint is null or m.account_id = $2)
  and ($3::text is null or a.domain = $3) and ($4::timestamptz is null or m.created_at > $4)
  and ($5::boolean or m.file_key is null)
  and not coalesce((select r.reject_media or r.severity = 'suspend' from domain_rule(a.domain) r), false)
order by m.id
limit 500
