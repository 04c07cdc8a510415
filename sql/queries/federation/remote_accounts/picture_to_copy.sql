-- picture_to_copy: the URL of a picture that has to be copied; `kind` is avatar or header.
-- $1 account bigint
-- $2 kind text
-- rows: none when the account does not show it any more, or shows a copy; else one
-- plan: no sequential scan
select p.url
from accounts a
cross join lateral (
  select
    case $2 when 'avatar' then a.avatar_remote_url else a.header_remote_url end as url,
    case $2 when 'avatar' then a.avatar else a.header end as image
) p
where a.id = $1 and p.url is not null and p.image ->> 'key' = p.url and a.suspended_at is null and a.deletion_requested_at is null
