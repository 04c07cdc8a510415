-- purge: deletes for good a batch of statuses that were deleted before a time, boosts before the
-- boosted ones; not those that are evidence for moderators.
-- $1 before timestamptz
-- $2 limit integer
-- rows: one a status that was removed
-- plan: no sequential scan
delete from statuses s
where s.id in (
  select d.id
  from statuses d
  where d.deleted_at < $1 and not is_evidence(d) and not exists (select from statuses b where b.reblog_of_id = d.id)
  order by d.deleted_at
  limit $2::integer
  for update skip locked
)
returning s.id
