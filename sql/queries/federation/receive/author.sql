-- author: an account of another server, as handlers of its activities need it.
-- $1 account bigint
-- rows: none or one; rejects_media, rejects_reports: by a domain rule; followed: by a local
--   account; relay: whether it is a relay that delivers here
-- plan: no sequential scan
select
  a.id, a.uri, a.username, a.domain, a.inbox_url, a.followers_url, a.following_url, a.featured_url, a.fetched_at,
  a.silenced_at is not null as silenced,
  a.sensitized_at is not null as sensitized, a.suspended_at is not null as suspended, a.also_known_as,
  coalesce(r.reject_media, false) as rejects_media,
  coalesce(r.reject_reports, false) as rejects_reports,
  exists (
    select from follows f join accounts l on l.id = f.account_id where f.target_account_id = a.id and l.domain is null
  ) as followed,
  exists (select from relays r where r.state = 'accepted' and r.actor_uri = a.uri) as relay
from accounts a
left join lateral domain_rule(a.domain) r on true
where a.id = $1 and a.domain is not null
