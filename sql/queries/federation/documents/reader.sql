-- reader: the stored account of a remote actor that requests documents by a signed request. As its
-- server is there, a pause of deliveries to it ends; that is rarely the case, and else nothing is
-- written. Failures on earlier days are kept, unless the server was unavailable: one that only
-- reads becomes unavailable too.
-- $1 uri text
-- $2 host text
-- rows: one; id: null when it is not known here
-- plan: no sequential scan
with returned as (
  delete from delivery_hosts h where h.host = $2 and h.unavailable_since is not null
), resumed as (
  update delivery_hosts h set failures = 0, paused_until = null
  where h.host = $2 and h.unavailable_since is null and h.paused_until > now()
)
select (select a.id from accounts a where a.uri = $1::text and a.uri <> '' and a.domain is not null) as id
