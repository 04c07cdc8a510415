-- purge: deletes for good a batch of statuses that were deleted before a time, boosts before the
-- boosted ones; not those that are evidence for moderators. The URIs of those of other servers are
-- kept, so that they do not come back.
-- $1 before timestamptz
-- $2 limit integer
-- rows: one a status that was removed
-- plan: no sequential scan
with removed as (
  delete from statuses s
  where s.id in (
    select d.id
    from statuses d
    where d.deleted_at < $1 and not is_evidence(d) and not exists (select from statuses b where b.reblog_of_id = d.id)
    order by d.deleted_at
    limit $2::integer
    for update skip locked
  )
  returning s.id, s.uri, s.reblog_of_id
), kept as (
  insert into tombstones (uri, kept) select removed.uri, true from removed where removed.uri is not null and removed.reblog_of_id is null
  on conflict (uri) do update set kept = true
)
select removed.id from removed
