-- Removes the boosts, favourites and votes of an account that another one made as well, with their
-- notifications, and counts them once.
create or replace function merge_reactions(source bigint, target bigint) returns void language plpgsql as $$
begin
  delete from notifications n using notifications other
  where n.from_account_id = source and other.from_account_id = target and n.type in ('favourite', 'reblog')
    and other.account_id = n.account_id and other.type = n.type and other.status_id = n.status_id;
  with twice as (
    delete from statuses s using statuses other
    where s.account_id = source and other.account_id = target and s.reblog_of_id = other.reblog_of_id
      and s.deleted_at is null and other.deleted_at is null
    returning s.reblog_of_id, s.visibility
  ), fewer as (
    update account_stats c set statuses_count = greatest(0, c.statuses_count - (select count(*) from twice where twice.visibility <> 'direct'))
    where c.account_id = source
  )
  update status_stats c set reblogs_count = greatest(0, c.reblogs_count - 1) from twice where c.status_id = twice.reblog_of_id;
  with twice as (
    delete from favourites f using favourites other
    where f.account_id = source and other.account_id = target and f.status_id = other.status_id
    returning f.status_id
  )
  update status_stats c set favourites_count = greatest(0, c.favourites_count - 1) from twice where c.status_id = twice.status_id;
  with twice as (
    delete from poll_votes v
    where v.account_id = source and exists (select from poll_votes other where other.poll_id = v.poll_id and other.account_id = target)
    returning v.poll_id, v.choice
  )
  update polls p
  set tallies = array(
      select greatest(0, t.amount - (select count(*) from twice where twice.poll_id = p.id and twice.choice = t.place - 1))::integer
      from unnest(p.tallies) with ordinality t (amount, place)
      order by t.place
    ),
    voters_count = case when p.voters_count is not null then greatest(0, p.voters_count - 1) end
  where p.id in (select twice.poll_id from twice);
end
$$;
