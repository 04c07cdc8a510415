-- votes: the votes of a local account in a remote poll; their ids are computed from the poll and
-- the option.
-- $1 account bigint
-- $2 poll bigint
-- $3 choices integer[]
-- rows: one an option that exists
-- plan: no sequential scan
select p.id * 1000 + v.choice as id, p.options[v.choice + 1] as option, s.uri, a.uri as author, a.inbox_url
from polls p
join statuses s on s.id = p.status_id and s.uri is not null and s.deleted_at is null
join accounts a on a.id = s.account_id and a.inbox_url <> '' and a.suspended_at is null
join poll_votes v on v.poll_id = p.id and v.account_id = $1
where p.id = $2 and v.choice = any ((select $3::integer[])::integer[])
order by v.choice
