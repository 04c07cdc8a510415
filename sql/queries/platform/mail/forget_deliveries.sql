-- forget_deliveries: removes records of e-mails that no job can repeat.
-- rows: one; how many
-- plan: no sequential scan
with removed as (
  delete from email_deliveries d
  where d.ctid = any (array(
    select old.ctid from email_deliveries old
    where old.created_at < now() - interval '14 days'
    order by old.created_at
    limit 1000
  ))
  returning d.recipient_id
)
select count(*)::integer as removed from removed
